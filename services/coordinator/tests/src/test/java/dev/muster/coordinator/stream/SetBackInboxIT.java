package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.log.InboxTopic;
import dev.muster.schemas.Topics;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
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

    @TempDir private Path folder;

    @Test
    void momentIsFoundBehindAllThatWasAppendedByThen() {
        var broker = new AheadBroker(folder);
        var kafka = broker.kafka();
        Instant meant;
        try (var outside = new Outside(kafka)) {
            var pool = outside.pool(NUMBER);
            append(kafka, 3_000);
            broker.goAhead(() -> pool.send(new byte[1]));
            append(kafka, 3_000);
            broker.setRight(() -> pool.send(new byte[1]));
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
