package dev.muster.admission.core;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an operator asks of queues and pools. */
public sealed interface SettingsRequest {
    /** Of the queue or pool. */
    String name();

    /**
     * @param reopens whether it says that the queue takes new jobs: its deletion is then taken back
     * @param waitsUntil how long it may wait for its pool to appear
     */
    record PutQueue(String name, QueueSettings settings, boolean reopens, Instant waitsUntil)
            implements SettingsRequest {}

    /**
     * Changes some fields of a queue.
     *
     * @param settings with defaults for what is not named
     * @param named which of its fields are
     * @param create whether it is made if it is not there
     * @param reopens as for {@link PutQueue}
     * @param waitsUntil how long it may wait for its pool to appear
     */
    record ChangeQueue(
            String name,
            QueueSettings settings,
            Named named,
            boolean create,
            boolean reopens,
            Instant waitsUntil)
            implements SettingsRequest {
        /** What of a queue is to be changed. */
        public enum Named {
            /** Nothing: it is to be there, and stays as it is. */
            NOTHING,
            /** Its pool, and maybe others. */
            POOL,
            OTHERS
        }
    }

    /**
     * @param drain whether it may still have jobs, and goes with the last
     * @param waitsUntil how long it may wait for its pool to appear
     */
    record DeleteQueue(String name, boolean drain, Instant waitsUntil) implements SettingsRequest {}

    record PutPool(String name, PoolSettings settings) implements SettingsRequest {}

    /**
     * Changes some fields of a pool.
     *
     * @param settings with defaults for what is not named
     * @param namesNumber whether its number is named
     * @param create whether it is made if it is not there
     */
    record ChangePool(String name, PoolSettings settings, boolean namesNumber, boolean create)
            implements SettingsRequest {}

    /**
     * One change of many jobs.
     *
     * @param wholePool whether the name is a pool's, not a queue's
     * @param labels those that a job must have
     * @param namespace null: every one
     * @param waitsUntil how long it may wait for the queue or pool to appear
     */
    record Bulk(
            String name,
            boolean wholePool,
            Map<String, String> labels,
            @Nullable String namespace,
            JobChange change,
            Instant waitsUntil)
            implements SettingsRequest {
        public Bulk {
            labels = Ordered.copy(labels);
        }
    }
}
