package dev.muster.coordinator.history.log;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * How long what is known to be in a partition may keep us waiting: while brokers are away a
 * consumer goes on trying for ever, and says nothing.
 *
 * @param most with nothing that comes
 */
public record Patience(Duration most) {
    /** As long as any call of a client with these settings may take. */
    public static Patience of(Map<String, ?> kafka) {
        var name = ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG;
        var set = kafka.get(name);
        var millis = set == null ? ConsumerConfig.configDef().defaultValues().get(name) : set;
        return new Patience(Duration.ofMillis(Long.parseLong(String.valueOf(millis))));
    }

    /** Begins to wait, at this position. */
    public Waiting at(TopicPartition partition, long position) {
        return new Waiting(partition, position);
    }

    /** One wait. */
    public final class Waiting {
        private final TopicPartition partition;
        private long position;
        private long since = System.nanoTime();

        private Waiting(TopicPartition partition, long position) {
            this.partition = partition;
            this.position = position;
        }

        /**
         * How far it has come now.
         *
         * @throws TimeoutException where it has stood there for too long
         */
        public void came(long now) {
            if (now != position) {
                position = now;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > most.toNanos()) {
                throw new TimeoutException(
                        "nothing of %s came within %d s".formatted(partition, most.toSeconds()));
            }
        }
    }
}
