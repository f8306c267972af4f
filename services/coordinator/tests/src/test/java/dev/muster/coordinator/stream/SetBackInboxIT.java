package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.coordinator.history.InboxTopic;
import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.clock.MachineClock;
import dev.muster.sandbox.kafka.Kafka;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.UntilJvmEnds;
import dev.muster.schemas.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A long inbox of a real broker whose clock was ahead by hours, and was set right. */
@Tag("only-in-profile-long")
class SetBackInboxIT {
    private static final int NUMBER = 1;
    private static final Duration HOURS = Duration.ofHours(3);

    @TempDir private Path folder;

    @Test
    void momentIsFoundBehindAllThatWasAppendedByThen() {
        var clock = new MachineClock(folder);
        var place = new Place(folder, new UntilJvmEnds(), false, Progress.silent());
        var broker = Kafka.start(place, List.of(clock.flag()));
        var kafka =
                Map.<String, Object>of(
                        "bootstrap.servers", broker.bootstrapServers(),
                        "schema.registry.url", TestParts.registryUrl());
        Instant meant;
        try (var outside = new Outside(kafka)) {
            var pool = outside.pool(NUMBER);
            append(kafka, 3_000);
            clock.set(HOURS);
            await().until(() -> isAhead(pool));
            append(kafka, 3_000);
            clock.set(Duration.ZERO);
            await().until(() -> !isAhead(pool));
            append(kafka, 100);
            meant = pool.send(new byte[1]);
            append(kafka, 9_000);
        }

        try (var inbox = new InboxTopic(kafka, NUMBER)) {
            long behind = 0;
            for (var records = inbox.from(0); records.hasNext(); ) {
                var in = records.next();
                behind = in.appended().isAfter(meant) ? behind : in.offset() + 1;
            }
            assertThat(behind).isBetween(6_100L, 7_000L);
            assertThat(inbox.upTo(meant)).isEqualTo(behind);
            assertThat(inbox.since(meant)).isBetween(3_000L, 3_100L);
        }
    }

    private static boolean isAhead(Outside.Inbox pool) {
        return pool.send(new byte[1]).isAfter(Instant.now().plus(HOURS.dividedBy(2)));
    }

    /** Some to a batch, as where much is to be written. */
    private static void append(Map<String, Object> kafka, int records) {
        var config = new HashMap<>(kafka);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, 1_000);
        try (var producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                var _ =
                        producer.send(
                                new ProducerRecord<>(
                                        Topics.INBOX.name(), NUMBER, null, new byte[100]));
            }
        }
    }
}
