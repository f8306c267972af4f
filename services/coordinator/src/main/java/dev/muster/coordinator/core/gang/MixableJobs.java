package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Work;
import java.util.List;

/**
 * Jobs that wait to start and may do so with several mixes of roles. Those that are alike stand
 * together: where the oldest cannot start with a mix, none of the others can.
 */
public final class MixableJobs {
    private final AlikeJobs<Kind> jobs = new AlikeJobs<>();

    private record Kind(String queue, String namespace, Work work) {
        static Kind of(Job job) {
            return new Kind(job.spec().queue(), job.id().namespace(), job.spec().work());
        }
    }

    public void add(Job job) {
        jobs.add(Kind.of(job), job);
    }

    /** One that is not there is none the less not there. */
    public void remove(Job job) {
        jobs.remove(Kind.of(job), job);
    }

    /**
     * The oldest of each kind, in the order of their tickets.
     *
     * @param after the ticket behind which they begin
     * @param most of them
     */
    public List<JobId> heads(long after, int most) {
        return jobs.heads(after + 1).stream().limit(most).toList();
    }
}
