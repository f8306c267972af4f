package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.jobs.BudgetCharges;
import dev.muster.coordinator.core.jobs.DeadNodes;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Incidents;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Restarts by the kubelet that no rule speaks of. They settle as failures do: however many ranks of
 * a gang were started again by then, that is one incident, and its strongest cause is charged.
 */
final class KubeletRestarts {
    private final Tables tables;
    private final Jobs jobs;
    private final BudgetCharges costs;
    private final SilentNodes silent;

    KubeletRestarts(Tables tables, Jobs jobs, SilentNodes silent) {
        this.tables = tables;
        this.jobs = jobs;
        this.costs = new BudgetCharges(tables, jobs);
        this.silent = silent;
    }

    void gather(Job job, Rank rank, int times, Failure seen) {
        boolean isUnheardOf = DeadNodes.isUnheardOf(tables, rank) && !seen.isTheClusters();
        var failure = isUnheardOf ? seen.becauseOf(rank.making().node()) : seen;
        var known = open(job);
        var now = tables.now();
        var open = known == null ? new Incidents(tables.clock().tick(), now, List.of(), 0) : known;
        int before = rank.restartsIn(open);
        int taken = open.takes(before, times);
        var next = open.and(before, taken, failure);
        tables.put(rank.gathered(open, before + taken));
        tables.put(job.with(job.past().charged(job.past().budgets().gathering(next))));
        var settle = job.spec().failureOf(rank.id().role()).settle();
        tables.wakings.once(Alarm.Kind.RESTARTS, job.id(), now.plus(settle));
        if (times > taken) {
            var more = new ArrayList<Failure>();
            for (int i = taken; i < times; i++) {
                more.add(failure);
            }
            charge(tables.current(job), more, isUnheardOf ? rank.making().node() : null);
        }
    }

    /** Null: none gathers, whatever was left of one that was broken off. */
    private @Nullable Incidents open(Job job) {
        boolean gathers = tables.wakings.isSet(Alarm.Kind.RESTARTS, job.id());
        return gathers ? job.past().budgets().open() : null;
    }

    /** They have settled, unless a node is not heard of, or failures are still to be judged. */
    void settled(Job job) {
        var open = job.past().budgets().open();
        if (open == null
                || !job.state().isUp()
                || Blindness.putsOff(tables, Alarm.Kind.RESTARTS, job.id())) {
            return;
        }
        for (var kind : List.of(Alarm.Kind.SETTLE, Alarm.Kind.NODE_SETTLE)) {
            var verdict = tables.wakings.of(kind, job.id());
            if (verdict != null) {
                tables.wakings.at(Alarm.Kind.RESTARTS, job.id(), verdict);
                return;
            }
        }
        var unpaid = open.unpaid();
        var node = unpaid.stream().anyMatch(Failure::isTheClusters) ? null : silent.of(job);
        var late = open.since().plus(SilentNodes.SETTLE);
        if (node != null && tables.now().isBefore(late)) {
            tables.wakings.at(Alarm.Kind.RESTARTS, job.id(), late);
            return;
        }
        var blamed = unpaid.stream().map(one -> node == null ? one : one.becauseOf(node)).toList();
        charge(job.with(job.past().charged(job.past().budgets().gathering(null))), blamed, node);
    }

    /** A job that saves before it stops is not ended for it, as one that stops at once is not. */
    private void charge(Job job, List<Failure> failures, @Nullable String silent) {
        var paid = job;
        for (var failure : failures) {
            var budgets = costs.charge(paid, failure, silent);
            if (budgets != null) {
                paid = paid.with(paid.past().charged(budgets));
            } else if (!(job.state() instanceof JobState.Saving)) {
                tables.put(paid);
                costs.exhausted(paid, failure);
                return;
            }
        }
        tables.put(paid);
        jobs.gather(paid, Job.Due.STATUS);
    }

    /**
     * What failed is charged now, and what the kubelet restarted meanwhile fell with it.
     *
     * @return the stronger of both
     */
    Failure charged(Job job, Failure failed) {
        var open = open(job);
        if (open == null || open.unpaid().size() < open.strongest().size()) {
            return failed;
        }
        var budgets = job.past().budgets().gathering(open.firstPaid());
        tables.put(job.with(job.past().charged(budgets)));
        var first = open.strongest().getFirst();
        return first.cause().compareTo(failed.cause()) < 0 ? first : failed;
    }
}
