package dev.muster.sandbox.node.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a node leaves running that was killed itself. */
public final class Leftovers {
    // The pipe's end is the node's end. The mark stands in the environment of every process of a
    // container; looked for twice, since what is being made while one looks is not seen.
    private static final String REAPER =
            """
            trap '' HUP INT TERM
            read -r never
            for pass in 1 2; do
              for process in $(grep -lszF "$1=$2/" /proc/[0-9]*/environ); do
                process=${process%/environ}
                kill -9 "${process#/proc/}"
              done
            done
            """;

    private Leftovers() {}

    /** Kills every process of every container below a node's folder. No node may use it now. */
    public static void kill(Path node) {
        Signals.killMarked(node.toAbsolutePath() + "/");
    }

    /**
     * Makes the containers of this JVM's node end with it, {@code kill -9} included: no other node
     * can go on with them then.
     */
    public static Process killWithThisJvm(Path node) {
        try {
            var command = new ArrayList<>(List.of(ContainerProcess.setsid().toString()));
            command.addAll(List.of("/bin/sh", "-c", REAPER, "reaper", Signals.MARK));
            command.add(node.toAbsolutePath().toString());
            return new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start /bin/sh", e);
        }
    }
}
