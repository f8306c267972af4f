package dev.muster.streams;

import dev.muster.schemas.clock.WallClock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Waits for records no longer than what waits for its thread's next round can bear. */
final class PacedConsumer extends KafkaConsumer<byte[], byte[]> {
    private final Supplier<Rounds> rounds;
    private final WallClock clock;
    private final Runnable taken;

    /**
     * @param rounds of the thread that polls
     * @param clock which is looked at with every poll
     * @param taken called when partitions are taken over, before Kafka Streams hears of it
     */
    PacedConsumer(
            Map<String, Object> config, Supplier<Rounds> rounds, WallClock clock, Runnable taken) {
        super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.rounds = rounds;
        this.clock = clock;
        this.taken = taken;
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
        super.subscribe(topics, new Takeovers(taken, listener));
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        clock.look();
        // What is paused may be waiting for a store that is being restored.
        return super.poll(
                paused().isEmpty() ? rounds.get().patience(timeout) : Rounds.soon(timeout));
    }

    /** Kafka Streams' own listener, and before it whoever is to know what is taken over. */
    private record Takeovers(Runnable taken, ConsumerRebalanceListener then)
            implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
                taken.run();
            }
            then.onPartitionsAssigned(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            then.onPartitionsRevoked(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            then.onPartitionsLost(partitions);
        }
    }
}
