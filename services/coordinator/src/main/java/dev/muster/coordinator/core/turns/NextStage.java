package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.jobs.Siblings;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Quotas.Claim;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stage of a started job whose turn has come and that has no pods yet, with all that waits for
 * it to run or to be ready. It only reads.
 */
public final class NextStage {
    private final Tables tables;
    private final Eligibility eligibility;
    private final Siblings siblings;

    public NextStage(Tables tables) {
        this.tables = tables;
        this.eligibility = tables.eligibility;
        this.siblings = new Siblings(tables);
    }

    /** The minima of its roles; null: there are none. */
    @Nullable Shape of(Job job) {
        var makeup = tables.makeup(job);
        var due = makeup.due(job.past().opened(), tables.gang(job));
        var parts = new ArrayList<Shape.Part>();
        for (var role : job.spec().roles()) {
            if (due.contains(role.name())) {
                var spot = tables.settings().spec().spot();
                parts.addAll(makeup.first(role, makeup.minimum(role.name()), spot));
            }
        }
        return parts.isEmpty() ? null : new Shape(parts, job.spec().gang().topology());
    }

    /** Pods of it would be ordered at once: nothing else keeps its first roles. */
    boolean isAwaited(Job job) {
        var due = tables.makeup(job).due(job.past().opened(), tables.gang(job));
        return due.stream().anyMatch(job.past().opened()::contains);
    }

    Claim claim(Queue queue, Job job, Shape shape) {
        return eligibility.claim(queue, job, shape, By.STARTED_JOB);
    }

    /** Why it is not placed; null: there is none, or nothing is in its way. */
    public @Nullable WaitReason reason(Job job) {
        var shape = of(job);
        var queue = tables.queue(job.spec().queue());
        if (shape == null || queue == null) {
            return null;
        }
        var excess = eligibility.excess(claim(queue, job, shape));
        var why =
                excess != null
                        ? excess.reason(tables.now())
                        : tables.capacity.fit(shape, siblings.of(job, shape))
                                        instanceof Short missing
                                ? missing.reason(tables.now())
                                : null;
        return why == null ? null : why.saying(waiting(shape) + why.message());
    }

    private static String waiting(Shape shape) {
        var roles = new TreeSet<String>();
        shape.parts().forEach(part -> roles.add(part.role()));
        return String.join(" and ", roles) + (roles.size() == 1 ? " waits: " : " wait: ");
    }
}
