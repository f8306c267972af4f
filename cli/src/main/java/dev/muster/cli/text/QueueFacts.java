package dev.muster.cli.text;

import dev.muster.schemas.JobKeys;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Phase;
import dev.muster.v1.WaitReason;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What holds for every waiting job of a queue stands in the queue's record, not in each job's. */
public final class QueueFacts {
    /** Nobody of a queue starts, whoever is in it. */
    private static final Set<String> OF_DOORS = Set.of("QueuePaused", "PoolUnavailable");

    private QueueFacts() {}

    /**
     * The job as it is to be shown: with its queue's reason where it has none of its own, and where
     * nobody of the queue starts, since then nothing else counts.
     *
     * @param ofQueue null: nothing holds for all of its jobs
     */
    public static JobStatus explained(JobStatus job, @Nullable WaitReason ofQueue) {
        boolean waits = job.getPhase() == Phase.QUEUED && !job.getHeld();
        if (!waits || ofQueue == null || ofQueue.getScope().equals(JobKeys.of(job.getJob()))) {
            return job;
        }
        boolean silent = job.getReason().isEmpty() && job.getWaiting() == null;
        return silent || OF_DOORS.contains(ofQueue.getCode())
                ? JobStatus.newBuilder(job)
                        .setReason(ofQueue.getCode())
                        .setMessage(ofQueue.getMessage())
                        .setWaiting(ofQueue)
                        .build()
                : job;
    }
}
