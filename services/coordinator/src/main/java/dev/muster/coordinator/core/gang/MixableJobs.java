package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Work;
import dev.muster.coordinator.core.model.Repulsion;
import java.util.List;
import java.util.SortedMap;

/**
 * Jobs that wait to start and may do so with several mixes of roles. Those that are alike stand
 * together: where the oldest cannot start with a mix, none of the others can.
 */
public final class MixableJobs {
    private final AlikeJobs<Kind> jobs = new AlikeJobs<>();

    /**
     * What may make a difference to whether one may start with a mix.
     *
     * @param priority for who goes first in its queue is the one for whom quotas are kept
     * @param letIn it came in line later than it was submitted, which decides that, too
     * @param repulsions for others may keep off some of them alone
     */
    private record Kind(
            String queue,
            String namespace,
            int priority,
            boolean letIn,
            SortedMap<String, Repulsion> repulsions,
            Work work) {
        static Kind of(Job job, GangRequirements makeup) {
            return new Kind(
                    job.spec().queue(),
                    job.id().namespace(),
                    job.spec().place().priority(),
                    job.past().letIn() != null,
                    makeup.repulsions(),
                    job.spec().work());
        }
    }

    public void add(Job job, GangRequirements makeup) {
        jobs.add(Kind.of(job, makeup), job);
    }

    /** One that is not there is none the less not there. */
    public void remove(Job job, GangRequirements makeup) {
        jobs.remove(Kind.of(job, makeup), job);
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
