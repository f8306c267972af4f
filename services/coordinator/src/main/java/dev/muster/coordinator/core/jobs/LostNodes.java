package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OnNode;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.state.Tables;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are not heard of, and what is to become of the jobs that have pods there. Nobody knows
 * whether those pods still run: until they are gone, or somebody says that they may be forgotten,
 * nothing is started in their stead.
 */
public final class LostNodes {
    private final Tables tables;
    private final Jobs jobs;

    public LostNodes(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    /** A node went silent, or was heard of again: each role there has its own patience. */
    public void seen(@Nullable Node before, Node now) {
        if (before == null) {
            remember(now.name(), false); // Its pods may have run on while it was nobody's.
        }
        if (now.ready()) {
            // Whatever is there by now, and of whom: the next silence counts anew.
            tables.alarms
                    .ofNode(now.name())
                    .forEach(there -> tables.wakings.none(Alarm.Kind.NODE_LOST, there));
        }
        if (now.isHeardOf() && (before == null || !before.isHeardOf())) {
            tables.residents.of(now.name()).forEach(id -> heard(id, now.name()));
        }
        if (now.ready() && (before == null || !before.ready())) {
            tables.residents.of(now.name()).forEach(id -> noWordHolds(id, now.name()));
        }
        if (before != null && before.ready() == now.ready()) {
            return;
        }
        for (var id : tables.residents.of(now.name())) {
            var job = tables.job(id);
            if (job != null && !now.ready()) {
                awaitThere(job, now.name());
            }
            if (job != null && awaitsPods(job)) {
                if (now.ready()) {
                    JobAlarms.heard(tables, job);
                }
                jobs.gather(job, Job.Due.STATUS); // What holds them is another now.
            }
            EarlierPods.changed(tables, jobs, id);
        }
    }

    /** Pods of it are to go, as its status may say. */
    private boolean awaitsPods(Job job) {
        return tables.gang(job).left().stream()
                .anyMatch(rank -> job.isToGo(rank) || rank.isLeaving());
    }

    private void heard(JobId id, String node) {
        var job = tables.job(id);
        if (job == null) {
            return;
        }
        var heard = job.past().budgets().heard(node);
        if (!heard.equals(job.past().budgets())) {
            tables.put(job.with(job.past().charged(heard)));
        }
        Hindrances.heard(tables, tables.current(job), node);
    }

    /** Its pods there may run on: another silence is another loss. */
    private void noWordHolds(JobId id, String node) {
        var job = tables.job(id);
        if (job == null) {
            return;
        }
        for (var rank : tables.gang(job).all()) {
            if (rank.givenUp() && rank.whereabouts().equals(node)) {
                tables.put(rank.heardOf());
            }
        }
    }

    private void awaitThere(Job job, String node) {
        var roles = new TreeSet<String>();
        for (var rank : tables.gang(job).all()) {
            boolean isThere = rank.whereabouts().equals(node) && !rank.sight().gone();
            if (isThere && roles.add(rank.id().role())) {
                await(tables, job, rank);
            }
        }
    }

    private static void await(Tables tables, Job job, Rank rank) {
        var after = job.spec().failureOf(rank.id().role()).nodeLost().after();
        tables.wakings.once(Alarm.Kind.NODE_LOST, OnNode.of(rank), tables.now().plus(after));
    }

    /** A node is the pool's no more: what it held is remembered to be nobody's, if it is gone. */
    public void left(String node, boolean gone) {
        remember(node, gone);
        for (var id : tables.residents.of(node)) {
            var job = tables.job(id);
            if (job != null && awaitsPods(job)) {
                jobs.gather(job, Job.Due.STATUS);
            }
            EarlierPods.changed(tables, jobs, id);
        }
    }

    private void remember(String node, boolean gone) {
        for (var id : tables.residents.of(node)) {
            var job = tables.job(id);
            if (job != null) {
                tables.gang(job).all().forEach(rank -> remember(job, rank, node, gone));
            }
        }
    }

    private void remember(Job job, Rank rank, String node, boolean gone) {
        var making = rank.making();
        if (making.node().equals(node) && making.nodeGone() != gone) {
            tables.put(rank.with(making.nodeGone(gone), rank.sight()));
        } else if (gone && node.equals(making.former())) {
            nothingIsElsewhere(tables, job, rank);
        }
    }

    /** What an earlier making of it had left on another node is gone. */
    public static void nothingIsElsewhere(Tables tables, Job job, Rank rank) {
        var own = rank.with(rank.making().former(null), rank.sight());
        tables.put(own);
        met(tables, job, own);
    }

    /**
     * Pods of the job are to go from now on, or stay after all: it waits for silent nodes as long
     * as ever. What is to go and was lost with its node already waits no second time.
     */
    static void await(Tables tables, Job job) {
        for (var rank : tables.gang(job).left()) {
            if (job.state().isUp() || !DeadNodes.isLostNow(tables, rank)) {
                met(tables, job, rank);
            }
        }
    }

    /**
     * One of its ranks is on this node, as is known now: if the node is silent already, its silence
     * is no news that would still come.
     */
    public static void met(Tables tables, Job job, Rank rank) {
        if (DeadNodes.isDead(tables, rank.whereabouts())) {
            await(tables, job, rank);
        }
    }

    /**
     * What its node holds of a rank that leaves is lost: it is forced, or left behind until the
     * node is heard of.
     */
    public void leftBehind(Job job, Rank rank) {
        var sight = rank.sight();
        var failure = Failure.onLostNode(rank.id(), rank.whereabouts());
        var judged = sight.judged(rank.state(), sight.released(), failure, sight.inPlace());
        var lost = rank.with(judged);
        tables.put(lost);
        if (!DeadNodes.mayBeForced(tables, job, lost)) {
            return;
        }
        var forced = lost.givingUp();
        // Nobody hears on a dead node that he has time.
        boolean isTold = !rank.isUntold() && !job.defers(rank) && !rank.hasLeft(tables.now());
        tables.put(isTold ? forced.leaving(tables.now()) : forced);
        jobs.gather(job, Job.Due.PLAN_AND_STATUS);
    }
}
