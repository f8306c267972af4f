package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Allowance;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Words;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What failures cost a job: restarts out of the budgets of whose policy is asked. */
public final class BudgetCharges {
    private final Tables tables;
    private final Jobs jobs;

    public BudgetCharges(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    /**
     * One more restart.
     *
     * @param silent the node to whose silence it is charged: once, until it is heard of; null: none
     * @return null: the budget is used up
     */
    public @Nullable Budgets charge(Job job, Failure charged, @Nullable String silent) {
        return charge(tables, job, charged, silent);
    }

    private static @Nullable Budgets charge(
            Tables tables, Job job, Failure charged, @Nullable String silent) {
        var role = charged.rank().role();
        var policy = job.spec().failureOf(role);
        var known = job.past().budgets();
        var budgets = ranLong(job, policy, tables.now()) ? known.rested() : known;
        int attempt = job.fences().attempt();
        if (silent != null && budgets.isCharged(attempt, silent)) {
            return budgets.delayed(tables.now());
        }
        var paid =
                budgets.charged(
                        job.spec().judgeOf(role),
                        policy.limits(),
                        charged.isTheClusters(),
                        tables.now());
        return paid == null || silent == null ? paid : paid.silent(attempt, silent);
    }

    /**
     * Of a job that stops or starts anew: nobody of it waits any more to be made again alone, nor
     * all of it for a start that it was to have. All that come come together, in their time.
     */
    static Budgets brokenOff(Tables tables, Job job, JobState next) {
        boolean isBrokenOff =
                job.state().isUp()
                        ? !next.isUp() && !(next instanceof JobState.Ended)
                        : next instanceof JobState.Stopping || next.isWaiting();
        if (!isBrokenOff) {
            return job.past().budgets();
        }
        var until =
                next instanceof JobState.Restarting restarting ? restarting.until() : tables.now();
        return paid(tables, job).notBeyond(until);
    }

    /**
     * What the kubelet restarted of it before that has settled is charged as far as the limits
     * allow. A job that is stopped is not ended for it; the next that fails does that, where a
     * limit is used up.
     */
    private static Budgets paid(Tables tables, Job job) {
        var known = job.past().budgets();
        boolean gathers = tables.wakings.isSet(Alarm.Kind.RESTARTS, job.id());
        var open = known.open();
        if (open == null || !gathers) {
            return known;
        }
        var paid = job.with(job.past().charged(known.gathering(null)));
        for (var failure : open.unpaid()) {
            var budgets = charge(tables, paid, failure, null);
            paid = budgets == null ? paid : paid.with(paid.past().charged(budgets));
        }
        return paid.past().budgets();
    }

    /**
     * Where it stands; of one that has run for long by its own policy, how often it was taken back
     * before counts no more.
     */
    static JobState rested(Job job, Instant now) {
        return job.state() instanceof JobState.Running running
                        && running.takenBack() > 0
                        && ranLong(job, job.spec().work().failure(), now)
                ? running.rested()
                : job.state();
    }

    /**
     * The budgets of a job that is to run no more, or not for now: the delays begin anew if it has
     * run for long by every policy in it, whatever it does next, since nobody knows whose rank
     * fails then.
     */
    static Budgets restedBudgets(Job job, Instant now) {
        var known = job.past().budgets();
        boolean isRested =
                ranLong(job, job.spec().work().failure(), now)
                        && job.spec().roles().stream()
                                .map(role -> job.spec().failureOf(role.name()))
                                .allMatch(policy -> ranLong(job, policy, now));
        return isRested ? known.rested() : known;
    }

    /** The job, where it stands by {@link #rested}. */
    public static Job atRest(Job job, Instant now) {
        return job.to(rested(job, now), job.times());
    }

    /** Where ranks are made again the job goes on: its last restart counts as its beginning. */
    private static boolean ranLong(Job job, FailurePolicy policy, Instant now) {
        var running = job.times().running();
        var until = job.past().budgets().until();
        if (running == null
                || !(job.state() instanceof JobState.Running
                        || job.state() instanceof JobState.Saving)) {
            return false;
        }
        var since = until == null || until.isBefore(running) ? running : until;
        return !since.plus(policy.delay().max()).isAfter(now);
    }

    /** What each policy of a job has allowed, and allows; by role, and the job's own. */
    static SortedMap<String, Allowance> allowances(Job job, Instant now) {
        var all = new TreeMap<String, Allowance>();
        var work = job.spec().work();
        all.put(Budgets.JOB, allowance(job, Budgets.JOB, work.failure(), now));
        for (var role : work.roles()) {
            var own = role.care().failure();
            if (own != null) {
                all.put(role.name(), allowance(job, role.name(), own, now));
            }
        }
        return all;
    }

    private static Allowance allowance(Job job, String of, FailurePolicy policy, Instant now) {
        var budgets = job.past().budgets();
        var limits = policy.limits();
        var charges = budgets.of(of);
        int inARow = ranLong(job, policy, now) ? 0 : budgets.inARow();
        return new Allowance(
                charges.own(),
                charges.infrastructure(),
                charges.within(limits, false, now),
                charges.within(limits, true, now),
                limits,
                policy.delay().after(inARow));
    }

    /** The job ends, and says which budget it was. */
    public void exhausted(Job job, Failure charged) {
        boolean byInfrastructure = charged.isTheClusters();
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
        var code =
                byInfrastructure
                        ? End.Code.INFRASTRUCTURE_LIMIT_EXCEEDED
                        : End.Code.BACKOFF_LIMIT_EXCEEDED;
        jobs.on(job, new JobEvent.GaveUp(End.failed(code, message)));
    }
}
