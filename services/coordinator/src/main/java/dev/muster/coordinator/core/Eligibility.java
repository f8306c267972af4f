package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Backlog.Line;
import dev.muster.coordinator.core.Quotas.By;
import dev.muster.coordinator.core.Quotas.Claim;
import dev.muster.coordinator.core.Quotas.Excess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is in the way of waiting jobs besides room. */
final class Eligibility {
    private final Tables tables;
    private final Quotas quotas;

    Eligibility(Tables tables) {
        this.tables = tables;
        this.quotas = new Quotas(tables);
    }

    boolean mayStart(Queue queue) {
        return !queue.spec().doors().paused()
                && tables.settings().isServed()
                && tables.capacity.hasNodes();
    }

    List<Line> lines(Queue queue) {
        return tables.backlog.lines(queue, tables.settings().spec().priorities(), tables.now());
    }

    /** Waiting adds to priority: lines change places though nothing else happens. */
    boolean isOrderedByTime() {
        return !tables.settings().spec().priorities().agingStep().isZero();
    }

    /** Nothing is in the way of its head, not even room. */
    boolean isClear(Queue queue, Line line) {
        return tables.capacity.fits(line.shape()) && excess(queue, line) == null;
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
        return quotas.check(claim(queue, line, By.WAITING_JOB));
    }

    @Nullable Excess excess(Claim claim) {
        return quotas.check(claim);
    }

    /** Only room is in its way, or others who use what its queue was guaranteed. */
    boolean mayReclaim(Claim claim) {
        return quotas.mayReclaim(claim);
    }

    boolean isGuaranteed(Queue queue, Line line) {
        return quotas.isGuaranteed(claim(queue, line, By.WAITING_JOB));
    }

    boolean isGuaranteed(Claim claim) {
        return quotas.isGuaranteed(claim);
    }

    static Claim claim(Queue queue, Line line, By by) {
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
