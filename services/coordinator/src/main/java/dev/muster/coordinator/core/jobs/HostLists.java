package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.state.Tables;

/** Which hosts launchers are told of, and whether they have been. */
public final class HostLists {
    private final Tables tables;
    private final Jobs jobs;

    HostLists(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    /** The list that a job's launcher has is published anew when another has become right. */
    public void mayChange(JobId id) {
        var job = tables.job(id);
        if (job != null && isLaunched(job) && !job.due().plan() && !isPublished(job)) {
            jobs.gather(job, Job.Due.PLAN_AND_STATUS);
        }
    }

    /** Its launcher, if it has one yet, has the list that is right. */
    boolean isTold(Job job) {
        return !isLaunched(job)
                || !job.due().plan()
                        && job.hosts().version() <= job.fences().applied()
                        && isPublished(job);
    }

    private static boolean isLaunched(Job job) {
        return job.spec().work().hostList()
                && job.state().isUp()
                && job.past().opened().contains(JobSpec.LAUNCHER);
    }

    private boolean isPublished(Job job) {
        var known = job.hosts();
        return known.next(job, tables.gang(job).all(), known.version() + 1).equals(known);
    }
}
