package dev.muster.sandbox.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the parts lie that come from Maven, as the build wrote it down in muster-sandbox-parts. */
public final class MavenFiles {
    private MavenFiles() {}

    /** The class path of the broker. */
    public static String kafka() {
        return path("kafka.path");
    }

    /** The archive of the schema registry. */
    public static Path registry() {
        return Path.of(path("registry.path"));
    }

    private static String path(String name) {
        var resource = "/dev/muster/sandbox/" + name;
        try (var in = MavenFiles.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new PartFailedException(
                        "muster-sandbox-parts is not on the class path (no "
                                + resource
                                + "): run mvn package");
            }
            var path = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            for (var file : path.split(File.pathSeparator, -1)) {
                if (!Files.exists(Path.of(file))) {
                    throw new PartFailedException(
                            file + " is gone since the build: run mvn package once more");
                }
            }
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource, e);
        }
    }
}
