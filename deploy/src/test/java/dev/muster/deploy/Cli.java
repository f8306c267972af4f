package dev.muster.deploy;

import dev.muster.cli.command.Main;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line as a process of its own, with the class path of the tests. */
final class Cli {
    private Cli() {}

    /**
     * Runs a command to its end.
     *
     * @param context the file with the addresses
     */
    static Manifests.Answer run(Path context, List<String> words) throws Exception {
        var command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "MUSTER_CONTEXT=" + context,
                                System.getProperty("java.home") + "/bin/java",
                                // As the script runs it: it ends before more would pay.
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        command.addAll(words);
        return Manifests.run(command);
    }
}
