package dev.muster.sandbox.kafka;

import dev.muster.sandbox.process.Executables;
import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.MavenFiles;
import dev.muster.sandbox.process.PartFailed;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One broker that is its own controller.
 *
 * @param port of the loopback address
 */
public record Kafka(PartProcess process, int port) {
    private static final String NAME = "kafka";

    /** Any 16 bytes in base 64; one broker is one cluster. */
    private static final String CLUSTER = "bXVzdGVyLXNhbmRib3g";

    private static final String STARTED = "Kafka Server started";

    private static final String LOG4J =
            """
            status = error
            appender.out.type = Console
            appender.out.name = out
            appender.out.layout.type = PatternLayout
            appender.out.layout.pattern = %d{HH:mm:ss.SSS} %-5p %c{1.} %m%n
            rootLogger.level = warn
            rootLogger.appenderRef.out.ref = out
            logger.server.name = kafka.server
            logger.server.level = info
            logger.cleaner.name = org.apache.kafka.storage
            logger.cleaner.level = warn
            """;

    private static final Duration LIMIT = Duration.ofMinutes(3);

    /**
     * Starts the broker; when this returns it takes records.
     *
     * @throws PartFailed when it does not come up
     */
    public static Kafka start(Place place) {
        return place.progress().during("kafka", () -> up(place));
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    private static Kafka up(Place place) {
        int port = place.port(NAME, "client");
        int controllerPort = place.port(NAME, "controller");
        var data = place.data(NAME);
        var settings = data.resolve("server.properties");
        var log4j = data.resolve("log4j2.properties");
        write(settings, lines(BrokerSettings.of(data.resolve("log"), port, controllerPort)));
        write(log4j, LOG4J);
        if (!Files.exists(data.resolve("log").resolve("meta.properties"))) {
            var format =
                    List.of(
                            "kafka.tools.StorageTool",
                            "format",
                            "-t",
                            CLUSTER,
                            "-c",
                            settings + "");
            new Launch(NAME, java(log4j, format), place).run(LIMIT);
        }
        var log = place.log(NAME);
        long from = place.keeper().running(NAME).isPresent() ? 0 : size(log);
        var command = java(log4j, List.of("kafka.Kafka", settings.toString()));
        var process = place.start(new Launch(NAME, command, place));
        return new Kafka(process.awaitReady(() -> says(log, from)), port);
    }

    private static List<String> java(Path log4j, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Executables.java().toString());
        command.addAll(
                List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Dlog4j2.configurationFile=" + log4j);
        command.addAll(List.of("-cp", MavenFiles.kafka()));
        command.addAll(arguments);
        return command;
    }

    private static String lines(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                .collect(Collectors.joining());
    }

    private static void write(Path file, String content) {
        try {
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    /**
     * The broker's port is open before the broker may hold a partition, so its log is the judge.
     */
    private static boolean says(Path log, long from) {
        try (var file = FileChannel.open(log)) {
            var news = ByteBuffer.allocate((int) (file.size() - from));
            file.read(news, from);
            return new String(news.array(), StandardCharsets.UTF_8).contains(STARTED);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + log, e);
        }
    }

    private static long size(Path log) {
        try {
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + log, e);
        }
    }
}
