package dev.muster.coordinator.history.log;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * How long what is known to be in partitions may keep us waiting: while brokers are away a consumer
 * goes on trying for ever, and says nothing.
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

    /**
     * Begins to wait.
     *
     * @param of a partition, or several
     * @param position in it, or in each of them
     */
    public <P> Waiting<P> at(Object of, P position) {
        return new Waiting<>(of, position);
    }

    /** One wait. */
    public final class Waiting<P> {
        private final Object of;
        private P position;
        private long since = System.nanoTime();

        private Waiting(Object of, P position) {
            this.of = of;
            this.position = position;
        }

        /**
         * How far it has come now.
         *
         * @throws TimeoutException where it has stood there for too long
         */
        public void came(P now) {
            if (!now.equals(position)) {
                position = now;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > most.toNanos()) {
                throw new TimeoutException(
                        "nothing of %s came within %d s".formatted(of, most.toSeconds()));
            }
        }
    }
}
