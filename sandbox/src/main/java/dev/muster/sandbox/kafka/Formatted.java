package dev.muster.sandbox.kafka;

import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MadeOnce;
import dev.muster.sandbox.process.MavenFiles;
import dev.muster.sandbox.process.PartFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * An empty store as a broker wants it. Formatting takes a JVM of its own and always writes the
 * same, so it is done once per version and copied.
 */
final class Formatted {
    /** Any 16 bytes in base 64; one broker is one cluster. */
    private static final String CLUSTER = "bXVzdGVyLXNhbmRib3g";

    private static final Pattern VERSION = Pattern.compile("kafka_[0-9.]+-([0-9.]+)\\.jar");

    private Formatted() {}

    /** Copies an empty store to a folder that is not there yet. */
    static void copyInto(Path store) {
        var version = VERSION.matcher(MavenFiles.kafka());
        if (!version.find()) {
            throw new PartFailedException("no broker in " + MavenFiles.kafka());
        }
        var name = "kafka-" + version.group(1) + "-formatted";
        var empty = MadeOnce.at(MadeOnce.cache().resolve(name), Formatted::format);
        var unfinished = store.resolveSibling("log.unfinished");
        try (var files = Files.newDirectoryStream(empty.resolve("log"))) {
            MadeOnce.remove(unfinished);
            Files.createDirectories(unfinished);
            for (var file : files) {
                Files.copy(file, unfinished.resolve(file.getFileName()));
            }
            Files.move(unfinished, store);
        } catch (IOException e) {
            throw new PartFailedException("cannot write " + store + ": " + e.getMessage(), e);
        }
    }

    private static void format(Path folder) throws IOException {
        Files.createDirectories(folder);
        var settings = folder.resolve("server.properties");
        BrokerSettings.of(folder.resolve("log"), 1, 2).write(settings);
        var main = "kafka.tools.StorageTool";
        var file = settings.toString();
        var command =
                BrokerJava.command(folder, List.of(), main, "format", "-t", CLUSTER, "-c", file);
        new Launch("format", command, Map.of(), folder, folder.resolve("format.log"))
                .run(Duration.ofMinutes(3));
    }
}
