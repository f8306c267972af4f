package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.streams.PacedClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task whose former owner died in the middle of a transaction that may last long. */
class LeftTransactionIT {
    private static final String ID = "left-transaction";
    private static final String IN = "left-transaction-in";
    private static final String STORE = "kept";
    private static final String CHANGELOG = ID + "-" + STORE + "-changelog";

    /** As long as a broker allows; whoever waits for it does not come through this test. */
    private static final Duration OPEN_FOR = Duration.ofMinutes(15);

    private static final Duration SOON = Duration.ofMinutes(1);

    @Test
    void whoeverTakesOverDoesNotWaitUntilItsTimeIsOver(@TempDir Path state) throws Exception {
        try (var admin = Admin.create(Outside.KAFKA)) {
            admin.createTopics(
                            List.of(
                                    new NewTopic(IN, 1, (short) 1),
                                    new NewTopic(CHANGELOG, 1, (short) 1)))
                    .all()
                    .get();
        }
        var topology = topology();
        var clients = new PacedClients();
        clients.takeOver(topology, ID);
        try (var former = producer(Map.of("transactional.id", ID + "-its-process-1"));
                var users = producer(Map.of());
                var streams = new KafkaStreams(topology, properties(state), clients)) {
            former.initTransactions();
            former.beginTransaction();
            former.send(new ProducerRecord<>(CHANGELOG, 0, "key", "never committed")).get();
            users.send(new ProducerRecord<>(IN, 0, "key", "worked on")).get();

            streams.start();
            await().atMost(SOON)
                    .until(() ->
                            streams.state() == KafkaStreams.State.RUNNING
                                    && "worked on".equals(kept(streams)));
            assertThatThrownBy(former::commitTransaction)
                    .isInstanceOfAny(
                            ProducerFencedException.class, InvalidProducerEpochException.class);
        }
    }

    private static String kept(KafkaStreams streams) {
        var parameters =
                StoreQueryParameters.fromNameAndType(
                        STORE, QueryableStoreTypes.<String, String>keyValueStore());
        return streams.store(parameters).get("key");
    }

    private static Topology topology() {
        return new Topology()
                .addSource("in", IN)
                .addProcessor("keep", Keep::new, "in")
                .addStateStore(
                        Stores.keyValueStoreBuilder(
                                Stores.persistentKeyValueStore(STORE),
                                Serdes.String(),
                                Serdes.String()),
                        "keep");
    }

    private static KafkaProducer<String, String> producer(Map<String, Object> more) {
        var settings = new Properties();
        settings.putAll(Outside.KAFKA);
        settings.put("transaction.timeout.ms", (int) OPEN_FOR.toMillis());
        settings.putAll(more);
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    private static Properties properties(Path state) {
        var properties = new Properties();
        properties.putAll(Outside.KAFKA);
        properties.putAll(
                Map.of(
                        StreamsConfig.APPLICATION_ID_CONFIG,
                        ID,
                        StreamsConfig.STATE_DIR_CONFIG,
                        state.toString(),
                        StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                        StreamsConfig.EXACTLY_ONCE_V2,
                        StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG,
                        Serdes.StringSerde.class.getName(),
                        StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG,
                        Serdes.StringSerde.class.getName(),
                        "auto.offset.reset",
                        "earliest"));
        return properties;
    }

    private static final class Keep extends ContextualProcessor<String, String, Void, Void> {
        @Override
        public void process(Record<String, String> record) {
            KeyValueStore<String, String> store = context().getStateStore(STORE);
            store.put(record.key(), record.value());
        }
    }
}
