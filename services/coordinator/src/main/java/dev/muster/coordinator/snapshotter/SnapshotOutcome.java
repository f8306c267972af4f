package dev.muster.coordinator.snapshotter;

import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What became of the snapshot of one pool. */
public sealed interface SnapshotOutcome {
    /**
     * Exit code of a process that met what another version decided: one that no JVM ends with,
     * which has 3 for itself when it runs out of memory.
     */
    int OTHER_VERSION = 12;

    /**
     * It is there.
     *
     * @param offset of the last inbox record that it includes
     * @param at the pool's time
     * @param size how many rows and submissions it has
     */
    record Written(long offset, Instant at, long size) implements SnapshotOutcome {}

    /**
     * It goes no further than to where rules of another version decided: these might decide
     * otherwise, and each later snapshot would part from the coordinator.
     *
     * @param version whose rules decided
     * @param from the first such record of the inbox
     * @param until what was written of the records before; null: nothing new
     */
    record OtherVersion(String version, long from, @Nullable Written until)
            implements SnapshotOutcome {}

    /** There is none, for a reason that stands in the log. */
    record Failed(String why) implements SnapshotOutcome {}

    /**
     * What the process ends with: 1 when a pool has no snapshot, 12 when versions are in the way.
     */
    static int exitCode(Collection<SnapshotOutcome> all) {
        if (all.stream().anyMatch(Failed.class::isInstance)) {
            return 1;
        }
        return all.stream().anyMatch(OtherVersion.class::isInstance) ? OTHER_VERSION : 0;
    }
}
