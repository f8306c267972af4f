package dev.muster.coordinator.core;

import dev.muster.coordinator.core.JobSpec.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * More pods for jobs that have started: stages whose turn has come, whole and before all others;
 * and what is beyond a gang's minimum, pod by pod and after all others.
 */
final class Growth {
    private final Tables tables;
    private final Eligibility eligibility;
    private final Starts starts;
    private final Stages stages;
    private final NextStage next;

    Growth(Tables tables, Eligibility eligibility, Starts starts, Stages stages, NextStage next) {
        this.tables = tables;
        this.eligibility = eligibility;
        this.starts = starts;
        this.stages = stages;
        this.next = next;
    }

    /** Places the next stage of the oldest job that waits for one and has the room. */
    boolean nextStage() {
        for (var id : tables.growing.staged()) {
            var job = tables.job(id);
            var shape = job == null ? null : next.of(job);
            if (job != null && shape != null && placed(job, shape)) {
                stages.placed(id);
                return true;
            }
        }
        return false;
    }

    /**
     * Places one pod, or all that a command asks for together, beyond the minimum of the oldest job
     * that has the room. Of those that want the same only the oldest is tried: where it has none,
     * the others have none.
     */
    boolean nextPod() {
        for (var line : tables.growing.lines()) {
            var job = tables.job(line.head());
            if (job != null && placed(job, next(job, line.role(), line.pods()))) {
                return true;
            }
        }
        return false;
    }

    private Shape next(Job job, Role role, int pods) {
        var spot = tables.settings().spec().spot();
        var parts = new ArrayList<Shape.Part>();
        for (var run : runs(tables.gang(job).missing(role.name(), pods))) {
            parts.addAll(Makeup.parts(role, run.getFirst(), run.size(), spot));
        }
        return new Shape(parts, job.spec().gang().topology());
    }

    /** Indices that follow each other, together. */
    private static List<List<Integer>> runs(List<Integer> indices) {
        var runs = new ArrayList<List<Integer>>();
        for (int index : indices) {
            if (runs.isEmpty() || runs.getLast().getLast() != index - 1) {
                runs.add(new ArrayList<>());
            }
            runs.getLast().add(index);
        }
        return runs;
    }

    private boolean placed(Job job, Shape shape) {
        var queue = tables.queue(job.spec().queue());
        if (queue == null || eligibility.excess(next.claim(queue, job, shape)) != null) {
            return false;
        }
        var fit = tables.capacity.placed(shape, next.extra(job));
        if (fit != null) {
            starts.grow(job, fit);
        }
        return fit != null;
    }
}
