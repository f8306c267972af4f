package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.streams.PacedClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What takes longer than a transaction may, on a real broker that aborts it. */
@Tag("only-in-profile-long")
class LongStepIT {
    private static final String IN = "long-step-in";
    private static final String OUT = "long-step-out";
    private static final Duration TRANSACTION = Duration.ofMillis(500);
    private static final Duration STEP = Duration.ofSeconds(3);

    private final AtomicInteger tries = new AtomicInteger();

    @Test
    void stepThatTakesLongerThanATransactionMayIsDoneInTheEnd(@TempDir Path state)
            throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
            admin.createTopics(
                            List.of(
                                    new NewTopic(IN, 1, (short) 1),
                                    new NewTopic(OUT, 1, (short) 1)))
                    .all()
                    .get();
        }
        try (var producer =
                new KafkaProducer<>(
                        Map.<String, Object>of("bootstrap.servers", bootstrap()),
                        new StringSerializer(),
                        new StringSerializer())) {
            producer.send(new ProducerRecord<>(IN, "key", "a long step")).get();
        }

        try (var streams = new KafkaStreams(topology(), properties(state), new PacedClients());
                var results = results()) {
            streams.start();
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() ->
                            assertThat(results.poll(Duration.ofMillis(100)))
                                    .extracting(result -> result.value())
                                    .containsExactly("a long step"));
        }
        assertThat(tries)
                .as("aborted at least once, else this shows nothing")
                .hasValueGreaterThan(1);
    }

    private Topology topology() {
        return new Topology()
                .addSource("in", IN)
                .addProcessor("step", LongStep::new, "in")
                .addSink("out", OUT, "step");
    }

    private static Properties properties(Path state) {
        var properties = new Properties();
        properties.putAll(Outside.KAFKA);
        properties.putAll(
                Map.of(
                        StreamsConfig.APPLICATION_ID_CONFIG,
                        "long-step",
                        StreamsConfig.STATE_DIR_CONFIG,
                        state.toString(),
                        StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                        StreamsConfig.EXACTLY_ONCE_V2,
                        StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                        100,
                        "default.key.serde",
                        "org.apache.kafka.common.serialization.Serdes$StringSerde",
                        "default.value.serde",
                        "org.apache.kafka.common.serialization.Serdes$StringSerde",
                        "auto.offset.reset",
                        "earliest",
                        "producer.transaction.timeout.ms",
                        String.valueOf(TRANSACTION.toMillis())));
        return properties;
    }

    private static KafkaConsumer<String, String> results() {
        var consumer =
                new KafkaConsumer<>(
                        Map.<String, Object>of(
                                "bootstrap.servers", bootstrap(),
                                "isolation.level", "read_committed",
                                "auto.offset.reset", "earliest"),
                        new StringDeserializer(),
                        new StringDeserializer());
        consumer.assign(List.of(new TopicPartition(OUT, 0)));
        return consumer;
    }

    private static String bootstrap() {
        return Outside.KAFKA.get("bootstrap.servers").toString();
    }

    /** Publishes first, so that its transaction is open for all the time that it works. */
    private final class LongStep extends ContextualProcessor<String, String, String, String> {
        @Override
        public void process(Record<String, String> step) {
            tries.incrementAndGet();
            context().forward(step);
            var end = System.nanoTime() + STEP.toNanos();
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }
}
