package dev.muster.sandbox.kafka;

import dev.muster.sandbox.process.Launch;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.process.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One broker that is its own controller.
 *
 * @param port of the loopback address
 */
public record Kafka(PartProcess process, int port) {
    private static final String NAME = "kafka";

    private static final String STARTED = "Kafka Server started";

    /**
     * Starts the broker; when this returns it takes records.
     *
     * @throws PartFailedException when it does not come up
     */
    public static Kafka start(Place place) {
        return start(place, List.of());
    }

    /**
     * The same.
     *
     * @param flags for its JVM, which prevail over the usual ones; one that runs already goes on
     *     with its own
     */
    public static Kafka start(Place place, List<String> flags) {
        return start(place, flags, Map.of());
    }

    /**
     * The same.
     *
     * @param settings for the broker, which prevail over the usual ones
     */
    public static Kafka start(Place place, List<String> flags, Map<String, String> settings) {
        return place.progress().during("kafka", () -> up(place, flags, settings));
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    private static Kafka up(Place place, List<String> flags, Map<String, String> others) {
        int port = place.port(NAME, "client");
        int controllerPort = place.port(NAME, "controller");
        var data = place.data(NAME);
        var store = data.resolve("log");
        if (!Files.exists(store)) {
            Formatted.copyInto(store);
        }
        var settings = data.resolve("server.properties");
        BrokerSettings.of(store, port, controllerPort).with(others).write(settings);
        var log = place.log(NAME);
        long from = place.keeper().running(NAME).isPresent() ? 0 : size(log);
        var command =
                new ArrayList<>(
                        BrokerJava.command(data, flags, "kafka.Kafka", settings.toString()));
        command.add(1, place.temporaryFiles(NAME));
        var process = place.start(new Launch(NAME, command, place));
        return new Kafka(process.awaitReady(() -> says(log, from)), port);
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
