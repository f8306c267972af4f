package dev.muster.sandbox.service;

import dev.muster.sandbox.process.ClassArchive;
import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.ShortDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What makes a service start in a second: its jar taken apart, and an archive of its classes, which
 * an earlier run has left.
 *
 * @param jar the application's jar beside its libraries
 * @param classes the archive, whether it is there yet or not
 */
record QuickStart(Path jar, Path classes) {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    static QuickStart of(ServiceSpec spec, Path cache) {
        if (!Files.exists(spec.jar())) {
            throw new PartFailedException(spec.jar() + " is not there: run mvn package");
        }
        var all = cache.resolve("services");
        var folder = all.resolve(name(spec) + "-" + digest(spec.jar()));
        if (!Files.exists(folder)) {
            new EarlierBuilds(all, name(spec)).forget(Instant.now());
        }
        var apart = MadeOnce.at(folder.resolve("app"), target -> takeApart(spec, target));
        touch(folder);
        var jar = apart.resolve(spec.jar().getFileName());
        return new QuickStart(jar, folder.resolve("classes.jsa"));
    }

    /**
     * The command line.
     *
     * @param flag for the JVM, which its place gives it
     */
    List<String> command(ServiceSpec spec, String flag, int port) {
        var command = new ArrayList<String>();
        command.add(Executables.java().toString());
        command.addAll(spec.jvmFlags());
        command.add(flag);
        if (spec.archived()) {
            command.addAll(ClassArchive.flags(classes, jar.toString()));
        }
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-jar", jar.toString()));
        command.add("--server.port=" + port);
        command.addAll(spec.arguments());
        return command;
    }

    private static String name(ServiceSpec spec) {
        return spec.jar().toFile().getName().replace(".jar", "");
    }

    private static void touch(Path folder) {
        try {
            Files.setLastModifiedTime(folder, FileTime.from(Instant.now()));
        } catch (IOException e) {
            throw new PartFailedException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    private static void takeApart(ServiceSpec spec, Path target) {
        var command =
                List.of(
                        Executables.java().toString(),
                        "-Djarmode=tools",
                        "-jar",
                        spec.jar().toAbsolutePath().toString(),
                        "extract",
                        "--destination",
                        target.toString());
        var log = target.resolveSibling("extract.log");
        new Launch("extract", command, Map.of(), target.resolveSibling("."), log).run(LIMIT);
    }

    private static String digest(Path jar) {
        try {
            return ShortDigest.of(jar);
        } catch (IOException e) {
            throw new PartFailedException("cannot read " + jar + ": " + e.getMessage(), e);
        }
    }
}
