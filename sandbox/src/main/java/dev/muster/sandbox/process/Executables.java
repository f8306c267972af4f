package dev.muster.sandbox.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of this machine. */
public final class Executables {
    private Executables() {}

    /** The first program of this name in the folders of {@code PATH}. */
    public static Optional<Path> find(String name) {
        var path = System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
        return Stream.of(path.split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The java program of this JVM. */
    public static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /** The command in a session of its own where that can be had: a Ctrl-C is then not for it. */
    static List<String> apart(List<String> command) {
        return find("setsid")
                .map(setsid ->
                        Stream.concat(Stream.of(setsid.toString()), command.stream()).toList())
                .orElse(command);
    }
}
