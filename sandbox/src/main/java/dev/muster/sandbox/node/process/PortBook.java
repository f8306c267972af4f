package dev.muster.sandbox.node.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The rendezvous ports of the jobs that have pods on this node, kept in a file as well, so that a
 * pod that is started by the next node meets those that run.
 */
public final class PortBook {
    // Below the ports that Linux gives to outgoing connections, which come and go.
    private static final int FIRST = 20_000;
    private static final int COUNT = 10_000;

    private final Path file;
    // "job stated" -> the port that it has here
    private final Map<String, Integer> ports = new TreeMap<>();

    public PortBook(Path file) {
        this.file = file;
        lines().map(line -> line.split(" "))
                .filter(words -> words.length == 3)
                .forEach(w -> ports.put(w[0] + " " + w[1], Integer.parseInt(w[2])));
    }

    /**
     * The job's port for one that its pods state: chosen when first asked for, free then, and the
     * same as long as the job is kept.
     */
    public synchronized int port(String job, int stated) {
        var key = job + " " + stated;
        var known = ports.get(key);
        if (known != null) {
            return known;
        }
        int chosen = choose(key);
        ports.put(key, chosen);
        write();
        return chosen;
    }

    /** Forgets the ports of all other jobs. */
    public synchronized void keep(Set<String> jobs) {
        if (ports.keySet().removeIf(key -> !jobs.contains(key.substring(0, key.indexOf(' '))))) {
            write();
        }
    }

    private int choose(String key) {
        int start = Math.floorMod(key.hashCode(), COUNT);
        return Stream.iterate(0, i -> i < COUNT, i -> i + 1)
                .map(i -> FIRST + (start + i) % COUNT)
                .filter(port -> !ports.containsValue(port) && isFree(port))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no port is free"));
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    private Stream<String> lines() {
        try {
            return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private void write() {
        List<String> lines =
                ports.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList();
        try {
            var written = Files.write(file.resolveSibling(file.getFileName() + ".new"), lines);
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
