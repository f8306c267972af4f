package dev.muster.coordinator.core;

import dev.muster.coordinator.core.JobSpec.Role;
import dev.muster.coordinator.core.Quotas.By;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * More pods for jobs that have started: stages whose turn has come, whole and before all others;
 * and what is beyond a gang's minimum, pod by pod and after all others.
 */
final class Growth {
    private final Tables tables;
    private final Eligibility eligibility;
    private final Starts starts;
    private final Stages stages;

    Growth(Tables tables, Eligibility eligibility, Starts starts, Stages stages) {
        this.tables = tables;
        this.eligibility = eligibility;
        this.starts = starts;
        this.stages = stages;
    }

    /** Places the next stage of the oldest job that waits for one and has the room. */
    boolean nextStage() {
        for (var id : tables.growing.staged()) {
            var job = tables.job(id);
            var shape = job == null ? null : stage(job);
            if (job != null && shape != null && placed(job, shape)) {
                stages.placed(id);
                return true;
            }
        }
        return false;
    }

    /**
     * Places one pod beyond the minimum of the oldest job that has the room. Of those that want the
     * same only the oldest is tried: where it has none, the others have none.
     */
    boolean nextPod() {
        for (var line : tables.growing.lines()) {
            var job = tables.job(line.head());
            if (job != null && placed(job, next(job, line.role()))) {
                return true;
            }
        }
        return false;
    }

    private Shape next(Job job, Role role) {
        int index = tables.gang(job).firstMissing(role.name());
        var spot = tables.settings().spec().spot();
        return new Shape(Makeup.parts(role, index, 1, spot), job.spec().gang().topology());
    }

    private boolean placed(Job job, Shape shape) {
        var queue = tables.queue(job.spec().queue());
        if (queue == null
                || eligibility.excess(eligibility.claim(queue, job, shape, By.STARTED_JOB))
                        != null) {
            return false;
        }
        var fit = tables.capacity.placed(shape, extra(job));
        if (fit != null) {
            starts.grow(job, fit);
        }
        return fit != null;
    }

    /** Pods that must be apart keep apart from those that are there already. */
    private Extra extra(Job job) {
        var extra = Extra.NONE;
        for (var role : job.spec().roles()) {
            if (role.pod().apart()) {
                extra =
                        extra.avoiding(
                                role.name(),
                                tables.gang(job).all().stream()
                                        .filter(rank -> rank.id().role().equals(role.name()))
                                        .map(rank -> rank.making().node())
                                        .toList());
            }
        }
        return extra;
    }

    /** The minima of open roles that have no pods; null: there are none. */
    private @Nullable Shape stage(Job job) {
        var makeup = tables.makeup(job);
        var gang = tables.gang(job);
        var parts = new ArrayList<Shape.Part>();
        for (var role : job.spec().roles()) {
            boolean waits =
                    job.past().opened().contains(role.name())
                            && makeup.later().contains(role.name())
                            && gang.count(role.name()) == 0;
            if (waits) {
                var spot = tables.settings().spec().spot();
                parts.addAll(Makeup.parts(role, 0, makeup.minimum(role.name()), spot));
            }
        }
        return parts.isEmpty() ? null : new Shape(parts, job.spec().gang().topology());
    }
}
