package dev.muster.sandbox.node.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** The folder of one incarnation of a container: its log, its processes' ids, its exit code. */
public record RunFolder(Path path) {

    /** What the container wrote, standard output and error together. */
    public Path log() {
        return path.resolve("log");
    }

    /** The process that waits for the container's and writes down its exit code. */
    Optional<ProcessStat> watcher() {
        return ProcessStat.recorded(path.resolve("watcher"));
    }

    /** The container's first process, which leads its process group. */
    Optional<ProcessStat> leader() {
        return ProcessStat.recorded(path.resolve("leader"));
    }

    /** The end, once it is written down. */
    Optional<Exit> exit() {
        var file = path.resolve("exit");
        try {
            var code = Files.readString(file).strip();
            var at = Files.getLastModifiedTime(file).toInstant();
            return code.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Exit(Integer.parseInt(code), at, true));
        } catch (IOException notYet) {
            return Optional.empty();
        }
    }

    /**
     * How a process ended.
     *
     * @param code 128 + n after signal n
     * @param known false if nobody saw the end; the code is then 137, as Kubernetes has it
     */
    public record Exit(int code, Instant at, boolean known) {
        private static final int UNKNOWN = 137;

        static Exit unseen(Instant now) {
            return new Exit(UNKNOWN, now, false);
        }
    }
}
