package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Failure.Cause;
import org.jspecify.annotations.Nullable;

/** What failures cost a job: restarts out of the budgets of whose policy is asked. */
final class Costs {
    private final Tables tables;
    private final Jobs jobs;

    Costs(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    /**
     * One more restart.
     *
     * @return null: the budget is used up
     */
    @Nullable Budgets charge(Job job, Failure charged) {
        var role = charged.rank().role();
        var policy = job.spec().failureOf(role);
        var known = job.past().budgets();
        var budgets = ranLong(job, policy) ? known.rested() : known;
        return budgets.charged(
                job.spec().judgeOf(role),
                policy.limits(),
                charged.isBy(Cause.INFRASTRUCTURE),
                tables.now());
    }

    /** Where ranks are made again the job goes on: its last restart counts as its beginning. */
    private boolean ranLong(Job job, FailurePolicy policy) {
        var running = job.times().running();
        var until = job.past().budgets().until();
        if (running == null
                || !(job.state() instanceof JobState.Running
                        || job.state() instanceof JobState.Saving)) {
            return false;
        }
        var since = until == null || until.isBefore(running) ? running : until;
        return !since.plus(policy.delay().max()).isAfter(tables.now());
    }

    /** The job ends, and says which budget it was. */
    void exhausted(Job job, Failure charged) {
        boolean byInfrastructure = charged.isBy(Cause.INFRASTRUCTURE);
        var of = job.spec().judgeOf(charged.rank().role());
        var limits = job.spec().failureOf(charged.rank().role()).limits();
        var message =
                "%s %d%s%s is used up; the last failure: %s"
                        .formatted(
                                byInfrastructure ? "infrastructureLimit" : "backoffLimit",
                                limits.of(byInfrastructure),
                                of.equals(Budgets.JOB) ? "" : " of role " + of,
                                limits.window().isZero()
                                        ? ""
                                        : " within " + Words.of(limits.window()),
                                charged.message());
        var reason = byInfrastructure ? "InfrastructureLimitExceeded" : "BackoffLimitExceeded";
        jobs.on(job, new JobEvent.GaveUp(new End(Phase.FAILED, reason, message)));
    }
}
