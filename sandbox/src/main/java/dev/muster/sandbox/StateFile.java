package dev.muster.sandbox;

import dev.muster.sandbox.process.Keeper;
import dev.muster.sandbox.process.Locked;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Keeps processes that outlive this JVM, in a file that the next one reads. */
final class StateFile implements Keeper {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Path folder;
    private final Map<String, Integer> wishes;

    /**
     * @param wishes the ports to take, by {@code part.use}; any other is one that is free
     */
    StateFile(Path folder, Map<String, Integer> wishes) {
        this.folder = folder;
        this.wishes = new TreeMap<>(wishes);
    }

    /**
     * What the file holds. Processes that have ended stay in it until their part is started anew.
     */
    record State(List<Entry> parts, Map<String, Integer> ports) {
        static final State EMPTY = new State(List.of(), Map.of());

        State {
            parts = List.copyOf(parts);
            ports = new TreeMap<>(ports);
        }

        State with(Entry entry) {
            var all = new ArrayList<>(parts);
            all.removeIf(known -> known.part().equals(entry.part()));
            all.add(entry);
            return new State(all, ports);
        }

        State withPort(String name, int port) {
            var all = new TreeMap<>(ports);
            all.put(name, port);
            return new State(parts, all);
        }
    }

    /** One process, in words that JSON has. */
    record Entry(String part, long pid, Instant started, String log, @Nullable String launch) {
        static Entry of(PartProcess process) {
            return new Entry(
                    process.part(),
                    process.pid(),
                    process.started(),
                    process.log().toString(),
                    process.launch());
        }

        /** What an earlier version wrote does not say as what it was started. */
        PartProcess process() {
            return new PartProcess(part, pid, started, Path.of(log), launch == null ? "" : launch);
        }
    }

    @Override
    public void keep(PartProcess process) {
        change(state -> state.with(Entry.of(process)));
    }

    @Override
    public List<PartProcess> running() {
        return known().stream().filter(PartProcess::alive).toList();
    }

    /** All that were started, also those that have ended since. */
    List<PartProcess> known() {
        return read().parts().stream().map(Entry::process).toList();
    }

    /** The ports of a part, by use. */
    Map<String, Integer> ports(String part) {
        var ports = new TreeMap<String, Integer>();
        read().ports()
                .forEach((name, port) -> {
                    if (name.startsWith(part + ".")) {
                        ports.put(name.substring(part.length() + 1), port);
                    }
                });
        return ports;
    }

    @Override
    public int port(String part, String use) {
        var name = part + "." + use;
        var remembered = read().ports().get(name);
        if (remembered != null && (running(part).isPresent() || Ports.isFree(remembered))) {
            return remembered;
        }
        var wish = wishes.get(name);
        if (wish != null && !Ports.isFree(wish)) {
            throw new PartFailedException(
                    "port %d, wanted for %s, is taken: end the process that has it, or use free ports"
                            .formatted(wish, part));
        }
        int port = wish == null ? Ports.free() : wish;
        change(state -> state.withPort(name, port));
        return port;
    }

    /** Forgets everything. */
    void remove() throws IOException {
        Files.deleteIfExists(file());
    }

    private Path file() {
        return folder.resolve("state.json");
    }

    private State read() {
        if (!Files.exists(file())) {
            return State.EMPTY;
        }
        return JSON.readValue(file(), State.class);
    }

    private void change(UnaryOperator<State> change) {
        try {
            Locked.by(folder.resolve("state.lock"), () -> write(change.apply(read())));
        } catch (IOException e) {
            throw new PartFailedException("cannot write " + file() + ": " + e.getMessage(), e);
        }
    }

    private Path write(State state) throws IOException {
        var next = folder.resolve("state.json.unfinished");
        JSON.writeValue(next, state);
        return Files.move(
                next, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
