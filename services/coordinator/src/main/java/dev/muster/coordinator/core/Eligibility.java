package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Backlog.Line;
import dev.muster.coordinator.core.Quotas.By;
import dev.muster.coordinator.core.Quotas.Claim;
import dev.muster.coordinator.core.Quotas.Excess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which waiting jobs could start now, and what is in the way of the others. */
final class Eligibility {
    private final Tables tables;
    private final Quotas quotas;

    /** Found out in this turn; asked again and again by queues whose heads are alike. */
    private final Map<Shape, Boolean> fits = new LinkedHashMap<>();

    /** The last one asked for; the heads of most queues are alike. */
    private @Nullable Shape lastShape;

    private boolean lastFits;

    Eligibility(Tables tables) {
        this.tables = tables;
        this.quotas = new Quotas(tables);
    }

    /** Something was placed, or an event was taken: what fits is not known. */
    void nextTurn() {
        fits.clear();
        lastShape = null;
    }

    boolean mayStart(Queue queue) {
        return !queue.spec().doors().paused() && tables.capacity.hasNodes();
    }

    List<Line> lines(Queue queue) {
        return tables.backlog.lines(queue, tables.settings().spec().priorities(), tables.now());
    }

    boolean isClear(Queue queue, Line line) {
        return fits(line.shape())
                && (quotas.isUnbounded(queue)
                        || quotas.check(claim(queue, line, By.WAITING_JOB)) == null);
    }

    private boolean fits(Shape shape) {
        if (shape != lastShape) {
            lastFits = fits.computeIfAbsent(shape, tables.capacity::fits);
            lastShape = shape;
        }
        return lastFits;
    }

    /** Nothing passes this head; one that could never start does not block. */
    boolean blocks(Queue queue, Line line) {
        if (queue.spec().order().backfill()) {
            return false;
        }
        var excess = excess(queue, line);
        return (excess == null || !excess.never()) && tables.capacity.couldEverFit(line.shape());
    }

    @Nullable Excess excess(Queue queue, Line line) {
        if (quotas.isUnbounded(queue)) {
            return null;
        }
        return quotas.check(claim(queue, line, By.WAITING_JOB));
    }

    @Nullable Excess excess(Claim claim) {
        return quotas.check(claim);
    }

    boolean isGuaranteed(Queue queue, Line line) {
        return quotas.isAllShared() || quotas.isGuaranteed(claim(queue, line, By.WAITING_JOB));
    }

    boolean isGuaranteed(Claim claim) {
        return quotas.isGuaranteed(claim);
    }

    private static Claim claim(Queue queue, Line line, By by) {
        return new Claim(queue, line.likeness().namespace(), line.likeness().use(), by);
    }

    Claim claim(Queue queue, Job job, Shape shape, By by) {
        var makeup = tables.makeup(job);
        var use = shape == makeup.start() ? makeup.startUse() : makeup.use(shape);
        return new Claim(queue, job.id().namespace(), use, by);
    }

    /** Nobody like it is older. */
    boolean isHead(Job job) {
        return tables.backlog.isHeadOfItsLine(job, tables.makeup(job));
    }
}
