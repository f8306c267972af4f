package dev.muster.coordinator.stream.avro;

import dev.muster.v1.InboxEvent;
import org.jspecify.annotations.Nullable;

/**
 * The inbox record from which outputs come: so a replay gives them the same ids.
 *
 * @param pool whose inbox it is
 * @param partition the pool's number
 * @param cause the record's own id; null: it could not be read
 */
public record Origin(String pool, int partition, long offset, @Nullable String cause) {
    /**
     * The same.
     *
     * @param pool empty: the record says it, since the pool has no name yet
     * @param message null: it could not be read
     */
    public static Origin of(String pool, int partition, long offset, @Nullable InboxEvent message) {
        return message == null
                ? new Origin(pool, partition, offset, null)
                : new Origin(
                        pool.isEmpty() ? message.getPool() : pool,
                        partition,
                        offset,
                        message.getEnvelope().getId());
    }
}
