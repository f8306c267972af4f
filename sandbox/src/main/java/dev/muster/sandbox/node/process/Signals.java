package dev.muster.sandbox.node.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Signals to the processes of one container, and to no others. */
final class Signals {
    /** Stands in the environment of each process of a container: its folder, a slash at the end. */
    static final String MARK = "MUSTER_SANDBOX_CONTAINER";

    private static final Duration BETWEEN_PASSES = Duration.ofMillis(10);

    /** One that the kernel cannot end now is left to it. */
    private static final int MOST_PASSES = 100;

    private Signals() {}

    /**
     * Sends a signal to a process group.
     *
     * @param name as kill(1) takes it: TERM, KILL
     */
    static void group(String name, long group) {
        try {
            new ProcessBuilder("/bin/sh", "-c", "kill -s \"$1\" -- \"-$2\"", "sh", name, group + "")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run /bin/sh to send a signal", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills what carries this container's mark, wherever in the process tree it has gone. */
    static void killMarked(Path folder) {
        killMarked(folder + "/");
    }

    /**
     * Kills all processes of all containers whose folders, a slash at their end, begin so. Looks
     * until it sees none twice: one that is being made, or just begins another program, is not seen
     * meanwhile.
     */
    static void killMarked(String folders) {
        int without = 0;
        for (int pass = 0; without < 2 && pass < MOST_PASSES; pass++) {
            without = killSeen(MARK + "=" + folders) ? 0 : without + 1;
            LockSupport.parkNanos(BETWEEN_PASSES.toNanos());
        }
    }

    private static boolean killSeen(String mark) {
        var seen =
                ProcessHandle.allProcesses()
                        .filter(process ->
                                environment(process.pid()).anyMatch(line -> line.startsWith(mark)))
                        .toList();
        seen.forEach(ProcessHandle::destroyForcibly);
        return !seen.isEmpty();
    }

    /** The environment that a process was started with, if it is one of ours and still there. */
    static Stream<String> environment(long pid) {
        try {
            var environ = Files.readAllBytes(Path.of("/proc", pid + "", "environ"));
            return Stream.of(new String(environ, StandardCharsets.UTF_8).split("\0", -1));
        } catch (IOException goneOrNotOurs) {
            return Stream.empty();
        }
    }
}
