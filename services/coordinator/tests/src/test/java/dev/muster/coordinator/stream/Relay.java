package dev.muster.coordinator.stream;

import dev.muster.schemas.crash.DeadProcess;
import dev.muster.streams.PacedClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * An application that keeps what it hears and says it again. Each of its ways, from a topic to
 * another, is a subtopology of its own and has one task.
 */
record Relay(String id, List<String> ways, boolean logs) {
    /** With this a member that starts again is back before its former self is missed. */
    private static final Duration SESSION = Duration.ofSeconds(10);

    /** Another one each time. */
    static Relay named(String name, List<String> ways, boolean logs) {
        return new Relay("relay-%s-%s".formatted(name, UUID.randomUUID()), ways, logs);
    }

    String in(String way) {
        return "%s-%s-in".formatted(id, way);
    }

    String out(String way) {
        return "%s-%s-out".formatted(id, way);
    }

    String changelog(String way) {
        return "%s-%s-changelog".formatted(id, way);
    }

    /** With the changelogs, as if a former process had made them. */
    Relay withTopics(Admin admin) throws ExecutionException, InterruptedException {
        for (var way : ways) {
            admin.createTopics(
                            List.of(
                                    new NewTopic(in(way), 1, (short) 1),
                                    new NewTopic(out(way), 1, (short) 1)))
                    .all()
                    .get();
            if (logs) {
                var changelog = new NewTopic(changelog(way), 1, (short) 1);
                admin.createTopics(List.of(changelog)).all().get();
            }
        }
        return this;
    }

    /** Commits at once. */
    KafkaStreams prompt(Path state, Map<String, ?> more) {
        var settings = new HashMap<String, Object>(more);
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
        return streams(state, settings);
    }

    /** Has a transaction open from the first record that comes, until a task is taken from it. */
    KafkaStreams slow(Path state) {
        return streams(
                state,
                Map.of(
                        StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                        DeadProcess.OPEN_FOR.toMillis(),
                        "producer.transaction.timeout.ms",
                        (int) DeadProcess.OPEN_FOR.toMillis(),
                        "main.consumer.session.timeout.ms",
                        (int) SESSION.toMillis()));
    }

    private KafkaStreams streams(Path state, Map<String, ?> more) {
        var properties = new Properties();
        properties.putAll(Outside.KAFKA);
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, id);
        properties.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        properties.put(
                StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class.getName());
        properties.put(
                StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class.getName());
        properties.put("auto.offset.reset", "earliest");
        properties.putAll(more);
        return new KafkaStreams(topology(), properties, new PacedClients());
    }

    private Topology topology() {
        var topology = new Topology();
        for (var way : ways) {
            topology.addSource(in(way), in(way))
                    .addProcessor(way, () -> new Keep(way), in(way))
                    .addStateStore(store(way), way)
                    .addSink(out(way), out(way), way);
        }
        return topology;
    }

    private StoreBuilder<KeyValueStore<String, String>> store(String name) {
        var store =
                Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(name), Serdes.String(), Serdes.String());
        return logs ? store.withLoggingEnabled(Map.of()) : store.withLoggingDisabled();
    }

    private static final class Keep extends ContextualProcessor<String, String, String, String> {
        private final String store;

        Keep(String store) {
            this.store = store;
        }

        @Override
        public void process(Record<String, String> record) {
            KeyValueStore<String, String> kept = context().getStateStore(store);
            kept.put(record.key(), record.value());
            context().forward(record);
        }
    }
}
