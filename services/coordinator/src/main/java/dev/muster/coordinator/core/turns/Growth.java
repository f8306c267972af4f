package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.Siblings;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Sweep;
import dev.muster.coordinator.core.nodes.GoingNodes;
import dev.muster.coordinator.core.starts.Stages;
import dev.muster.coordinator.core.starts.Starts;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import org.jspecify.annotations.Nullable;

/**
 * More pods for jobs that have started: stages whose turn has come, whole and before all others;
 * and what is beyond a gang's minimum, pod by pod and after all others. Elastic jobs do not grow
 * into what somebody of no weaker claim waits for, unless they only replace who leaves a node.
 */
final class Growth {
    /** Of so many jobs that have to leave nodes one pod each is tried; then it is others' turn. */
    private static final int TRIED_AT_ONCE = 16;

    private final Tables tables;
    private final Eligibility eligibility;
    private final Starts starts;
    private final Stages stages;
    private final NextStage next;
    private final Siblings siblings;
    private final GoingNodes going;
    private final RoomSeekers wanting;
    private final TriedStages tried;

    Growth(
            Tables tables,
            Jobs jobs,
            Starts starts,
            Stages stages,
            NextStage next,
            RoomSeekers wanting) {
        this.tables = tables;
        this.eligibility = tables.eligibility;
        this.starts = starts;
        this.stages = stages;
        this.next = next;
        this.siblings = new Siblings(tables);
        this.going = new GoingNodes(tables, jobs);
        this.wanting = wanting;
        this.tried = new TriedStages(tables);
    }

    /** A round begins: all may have become placeable. */
    void begin() {
        tried.none();
    }

    /**
     * Places the next stage of the oldest job that waits for one and has the room. Of those that
     * want the same only the oldest is tried.
     */
    boolean nextStage() {
        for (var id : tables.growing.staged.heads(tried.from())) {
            var job = tables.job(id);
            var shape = job == null ? null : next.of(job);
            boolean isAwaited = job != null && next.isAwaited(job);
            var fit = job == null || shape == null ? null : fit(job, shape);
            if (job != null && fit != null) {
                tried.before(job.ticket());
                starts.grow(job, fit);
                if (isAwaited) {
                    stages.placed(id);
                }
                return true;
            }
        }
        tried.all();
        return false;
    }

    /**
     * Places one pod, or all that a command asks for together, beyond the minimum of the oldest job
     * that has the room. Of those that want the same only the oldest is tried: where it has none,
     * the others have none.
     */
    boolean nextPod() {
        return replacement() || nextOfLines();
    }

    /** One pod of a job that is at its minimum and has to leave a node: then one leaves. */
    private boolean replacement() {
        var served = sweep().leaver();
        var last = served == null ? "" : served;
        boolean isAnyPlaced = false;
        for (var id : tables.alarms.going(last, TRIED_AT_ONCE)) {
            var job = tables.job(id);
            var leaver = job == null ? null : going.leaver(job);
            last = id.toString();
            var fit =
                    job == null || leaver == null
                            ? null
                            : fit(job, siblings.successor(job, leaver));
            if (job != null && fit != null) {
                starts.replace(job, fit);
                isAnyPlaced = true;
                break;
            }
        }
        if (tables.alarms.going() > TRIED_AT_ONCE) {
            tables.put(sweep().leaving(last));
        }
        return isAnyPlaced;
    }

    private Sweep sweep() {
        var known = tables.sweep();
        return known == null ? Sweep.NONE : known;
    }

    private boolean nextOfLines() {
        for (var line : tables.growing.lines()) {
            var job = tables.job(line.head());
            if (job != null) {
                var shape = siblings.next(job, line.role(), line.pods());
                var fit = line.yields() ? unneeded(job, shape) : fit(job, shape, By.GROWING_JOB);
                if (fit != null) {
                    starts.grow(job, fit);
                    return true;
                }
            }
        }
        return false;
    }

    private @Nullable Placed unneeded(Job job, Shape shape) {
        return eligibility.mayUse(job, shape, By.GROWING_JOB)
                ? wanting.place(job, shape, siblings.of(job, shape)).fit()
                : null;
    }

    private @Nullable Placed fit(Job job, Shape shape) {
        return fit(job, shape, By.STARTED_JOB);
    }

    private @Nullable Placed fit(Job job, Shape shape, By by) {
        return eligibility.mayUse(job, shape, by)
                ? tables.capacity.placed(shape, siblings.of(job, shape))
                : null;
    }
}
