package dev.muster.bench.system;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.kafka.Kafka;
import dev.muster.schemas.Topics;
import dev.muster.v1.PoolState;
import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;

/** The pools as their topic has them. */
public final class Pools {
    private static final Duration POLL = Duration.ofMillis(200);

    private Pools() {}

    /** The inbox partition of a pool. */
    public static int numberOf(Context context, String pool) {
        try (Consumer<String, PoolState> consumer = Kafka.consumer(context)) {
            var partitions = Kafka.assign(consumer, Topics.POOLS);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            int number = -1;
            while (ends.entrySet().stream()
                    .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (var record : consumer.poll(POLL)) {
                    if (record.key().equals(pool) && record.value() != null) {
                        number = record.value().getNumber();
                    }
                }
            }
            if (number < 0) {
                throw CommandFailedException.failed("there is no pool " + pool, null);
            }
            return number;
        }
    }
}
