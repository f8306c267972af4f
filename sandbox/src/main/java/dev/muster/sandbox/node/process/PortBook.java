package dev.muster.sandbox.node.process;

import dev.muster.sandbox.process.Locked;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The rendezvous ports of the jobs that have pods on a node, kept in a file as well, so that a pod
 * that is started by the next node process meets those that run. Nodes whose files lie in one
 * folder give a job the same port, so that its pods meet across them.
 */
public final class PortBook {
    // Below the ports that Linux gives to outgoing connections, which come and go.
    private static final int FIRST = 20_000;
    private static final int COUNT = 10_000;

    private static final String ENDING = ".ports";

    private final Path file;

    // "job stated" -> the port that it has here
    private final Map<String, Integer> ports = new TreeMap<>();

    private PortBook(Path file) {
        this.file = file;
        ports.putAll(read(file));
    }

    /**
     * @param folder of all nodes that a job may be spread over
     */
    public static PortBook of(Path folder, String node) {
        return new PortBook(folder.resolve(node + ENDING));
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
        try {
            return Locked.by(file.resolveSibling("lock"), () -> chosen(key));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock the ports in " + file.getParent(), e);
        }
    }

    private int chosen(String key) throws IOException {
        var others = others();
        var known = others.get(key);
        int chosen = known == null ? choose(key, others.values()) : known;
        ports.put(key, chosen);
        write();
        return chosen;
    }

    private Map<String, Integer> others() throws IOException {
        var others = new TreeMap<String, Integer>();
        try (var files = Files.newDirectoryStream(file.resolveSibling(""), "*" + ENDING)) {
            for (var other : files) {
                if (!other.equals(file)) {
                    others.putAll(read(other));
                }
            }
        }
        return others;
    }

    /** Forgets the ports of all other jobs. */
    public synchronized void keep(Set<String> jobs) {
        if (ports.keySet().removeIf(key -> !jobs.contains(key.substring(0, key.indexOf(' '))))) {
            write();
        }
    }

    private int choose(String key, Collection<Integer> others) {
        int start = Math.floorMod(key.hashCode(), COUNT);
        return Stream.iterate(0, i -> i < COUNT, i -> i + 1)
                .map(i -> FIRST + (start + i) % COUNT)
                .filter(port -> !ports.containsValue(port) && !others.contains(port))
                .filter(PortBook::isFree)
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

    private static Map<String, Integer> read(Path file) {
        var read = new TreeMap<String, Integer>();
        try {
            var lines = Files.exists(file) ? Files.readAllLines(file) : List.<String>of();
            lines.stream()
                    .map(line -> line.split(" "))
                    .filter(words -> words.length == 3)
                    .forEach(w -> read.put(w[0] + " " + w[1], Integer.parseInt(w[2])));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
        return read;
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
