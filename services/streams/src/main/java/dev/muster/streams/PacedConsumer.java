package dev.muster.streams;

import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Waits for records no longer than what waits for its thread's next round can bear. */
final class PacedConsumer extends KafkaConsumer<byte[], byte[]> {
    private final Supplier<Rounds> rounds;

    /**
     * @param rounds of the thread that polls
     */
    PacedConsumer(Map<String, Object> config, Supplier<Rounds> rounds) {
        super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.rounds = rounds;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        return super.poll(rounds.get().patience(timeout));
    }
}
