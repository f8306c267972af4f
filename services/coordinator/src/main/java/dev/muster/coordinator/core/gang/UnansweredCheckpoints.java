package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Jobs that owe an answer to what they were asked to save before, for which no rank waits. */
public final class UnansweredCheckpoints {
    private final SortedSet<JobId> jobs = new TreeSet<>();

    /**
     * @param gang null: it has no ranks
     */
    public void put(Job job, @Nullable Gang gang) {
        var asked = job.asked();
        boolean isOne =
                asked != null
                        && !(job.state() instanceof JobState.Saving)
                        && (gang == null || !gang.awaits(asked.id()));
        if (isOne) {
            jobs.add(job.id());
        } else {
            jobs.remove(job.id());
        }
    }

    public void remove(JobId job) {
        jobs.remove(job);
    }

    public boolean contains(JobId job) {
        return jobs.contains(job);
    }

    /** Null: there is none. */
    public @Nullable JobId first() {
        return jobs.isEmpty() ? null : jobs.first();
    }
}
