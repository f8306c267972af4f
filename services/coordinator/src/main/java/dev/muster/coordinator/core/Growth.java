package dev.muster.coordinator.core;

import dev.muster.coordinator.core.JobSpec.Role;
import dev.muster.coordinator.core.Quotas.By;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
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
        for (var job : tables.incomplete()) {
            var shape = stage(job);
            if (shape != null && placed(job, shape)) {
                stages.placed(job.id());
                return true;
            }
        }
        return false;
    }

    /** Places one pod beyond the minimum of the oldest job that has the room. */
    boolean nextPod() {
        for (var job : tables.incomplete()) {
            for (var role : grown(job)) {
                int index = firstMissing(job, role);
                var spot = tables.settings().spec().spot();
                var shape =
                        new Shape(Makeup.parts(role, index, 1, spot), job.spec().gang().topology());
                if (index < role.replicas() && placed(job, shape)) {
                    return true;
                }
            }
        }
        return false;
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

    /** Roles that have their minimum and may have more. */
    private List<Role> grown(Job job) {
        var makeup = tables.makeup(job);
        var gang = tables.gang(job);
        return job.spec().roles().stream()
                .filter(role -> gang.count(role.name()) >= makeup.minimum(role.name()))
                .filter(role -> gang.count(role.name()) < role.replicas())
                .toList();
    }

    private int firstMissing(Job job, Role role) {
        var there = new TreeSet<Integer>();
        for (var rank : tables.gang(job).all()) {
            if (rank.id().role().equals(role.name())) {
                there.add(rank.id().index());
            }
        }
        int index = 0;
        while (there.contains(index)) {
            index++;
        }
        return index;
    }
}
