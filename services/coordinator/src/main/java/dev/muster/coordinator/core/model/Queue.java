package dev.muster.coordinator.core.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the pool.
 *
 * @param credit what the policy noted of it after its last turn
 * @param reason what holds for every job of it; null: nothing
 * @param leaving it is deleted once it has no jobs
 * @param distant of those behind its first lines, the first that might hold room when they were
 *     looked through last; null: none might
 */
public record Queue(
        String name,
        QueueSpec spec,
        long credit,
        @Nullable WaitReason reason,
        boolean leaving,
        @Nullable JobId distant)
        implements Row {
    public static Queue of(String name, QueueSpec spec) {
        return new Queue(name, spec, 0, null, false, null);
    }

    public Queue with(QueueSpec spec) {
        return with(spec, leaving && spec.doors().draining());
    }

    /** As one that is made anew: it stays, also where it takes no new jobs. */
    public Queue anew(QueueSpec spec) {
        return with(spec, false);
    }

    /** That it is paused means something else once it leaves, or stays, and is told anew. */
    private Queue with(QueueSpec spec, boolean leaves) {
        boolean isOther =
                leaves != leaving
                        && reason != null
                        && reason.code() == WaitReason.Code.QUEUE_PAUSED;
        return new Queue(name, spec, credit, isOther ? null : reason, leaves, distant);
    }

    public Queue credited(long credit) {
        return new Queue(name, spec, credit, reason, leaving, distant);
    }

    public Queue because(@Nullable WaitReason reason) {
        return new Queue(name, spec, credit, reason, leaving, distant);
    }

    public Queue noting(@Nullable JobId distant) {
        return new Queue(name, spec, credit, reason, leaving, distant);
    }

    public Queue leaves() {
        var doors = spec.doors();
        var closed =
                new QueueSpec.Doors(
                        doors.paused(),
                        true,
                        doors.maxWaiting(),
                        doors.maxRunning(),
                        doors.namespaces());
        var closing = new QueueSpec(spec.weight(), closed, spec.order(), spec.quota());
        return with(closing, true);
    }

    /** When a job at its head has waited long enough for room and quotas to be kept for it. */
    public Instant ripeAt(Job job) {
        return job.past().inLine().plus(spec.order().reserveAfter());
    }

    @Override
    public Key key() {
        return new Key(Table.QUEUE, name);
    }
}
