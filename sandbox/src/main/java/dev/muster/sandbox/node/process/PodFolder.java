package dev.muster.sandbox.node.process;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.muster.sandbox.node.core.PodRun;
import dev.muster.sandbox.node.core.RunState;
import dev.muster.sandbox.process.MadeOnce;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The folder of one pod: what is known of it, its volumes, and a folder for each incarnation of
 * each container.
 */
public record PodFolder(Path path) {
    private static final String STATE = "state.json";
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .addMixIn(RunState.class, Named.class)
                    .registerSubtypes(
                            RunState.Waiting.class, RunState.Running.class, RunState.Ended.class)
                    .build();

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "is")
    private interface Named {}

    /** What a node writes down of a pod, for the next one. */
    public record Saved(String namespace, String name, String uid, PodRun run) {}

    /** The folder of a pod below the node's own. */
    public static PodFolder of(Path node, String namespace, String name, String uid) {
        return new PodFolder(pods(node).resolve(namespace + "_" + name + "_" + uid));
    }

    /** Every pod that a node left below its folder. */
    public static List<PodFolder> all(Path node) throws IOException {
        if (!Files.isDirectory(pods(node))) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(pods(node))) {
            return folders.sorted().map(PodFolder::new).toList();
        }
    }

    private static Path pods(Path node) {
        return node.resolve("pods");
    }

    /** What the last node wrote down; empty if it did not come to that. */
    public Optional<Saved> saved() {
        var file = path.resolve(STATE);
        return Files.exists(file)
                ? Optional.of(JSON.readValue(file.toFile(), Saved.class))
                : Optional.empty();
    }

    public void save(Saved saved) {
        var file = path.resolve(STATE);
        try {
            Files.createDirectories(path);
            var written = path.resolve(STATE + ".new");
            JSON.writeValue(written.toFile(), saved);
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    public Path volume(String name) {
        return path.resolve("volumes").resolve(name);
    }

    /** The folder that stands for a container's {@code /}. */
    public Path root(String container) {
        return container(container).resolve("root");
    }

    /** The folder of one incarnation of a container. */
    public RunFolder run(String container, int incarnation) {
        return new RunFolder(container(container).resolve(Integer.toString(incarnation)));
    }

    /** Removes an incarnation that nobody can ask for any more. */
    public void forget(String container, int incarnation) {
        delete(run(container, incarnation).path());
    }

    /** Removes all of it. */
    public void delete() {
        delete(path);
    }

    private Path container(String name) {
        return path.resolve("containers").resolve(name);
    }

    private static void delete(Path folder) {
        try {
            MadeOnce.remove(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }
}
