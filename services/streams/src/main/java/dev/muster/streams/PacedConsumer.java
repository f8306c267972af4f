package dev.muster.streams;

import dev.muster.schemas.clock.WallClock;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Waits for records no longer than what waits for its thread's next round can bear. */
final class PacedConsumer extends KafkaConsumer<byte[], byte[]> {
    private final Supplier<Rounds> rounds;
    private final WallClock clock;

    /**
     * @param rounds of the thread that polls
     * @param clock which is looked at with every poll
     */
    PacedConsumer(Map<String, Object> config, Supplier<Rounds> rounds, WallClock clock) {
        super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.rounds = rounds;
        this.clock = clock;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        clock.look();
        // What is paused may be waiting for a store that is being restored.
        return super.poll(
                paused().isEmpty() ? rounds.get().patience(timeout) : Rounds.soon(timeout));
    }
}
