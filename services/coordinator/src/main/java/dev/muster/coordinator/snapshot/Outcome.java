package dev.muster.coordinator.snapshot;

import java.time.Instant;
import java.util.Collection;

/** What became of the snapshot of one pool. */
public sealed interface Outcome {
    /**
     * It is there.
     *
     * @param offset of the last inbox record that it includes
     * @param at the pool's time
     * @param size how many rows and submissions it has
     */
    record Written(long offset, Instant at, long size) implements Outcome {}

    /** There is none, for a reason that stands in the log. */
    record Failed(String why) implements Outcome {}

    /** What the process ends with: 1 when a pool has no snapshot. */
    static int exitCode(Collection<Outcome> all) {
        return all.stream().allMatch(Written.class::isInstance) ? 0 : 1;
    }
}
