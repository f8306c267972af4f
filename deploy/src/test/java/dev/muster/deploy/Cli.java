package dev.muster.deploy;

import dev.muster.cli.command.Main;
import dev.muster.sandbox.process.ClassArchive;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command line as a process of its own, with the class path of the tests. */
final class Cli {
    private static final String PATH = jars();

    /** As the script has one: all that run share it. */
    private static final List<String> ARCHIVE =
            ClassArchive.flags(Path.of("target", "muster-cli.jsa").toAbsolutePath(), PATH);

    private Cli() {}

    /** Without the tests' own folders, of which no archive can be made. */
    private static String jars() {
        var path = System.getProperty("java.class.path").split(File.pathSeparator, -1);
        return Stream.of(path)
                .filter(part -> part.endsWith(".jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }

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
                                // A JVM that cannot use an archive says so among what is answered.
                                "-XX:-PrintWarnings"));
        command.addAll(ARCHIVE);
        command.addAll(List.of("-cp", PATH, Main.class.getName()));
        command.addAll(words);
        return Manifests.run(command);
    }
}
