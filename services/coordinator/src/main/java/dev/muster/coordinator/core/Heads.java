package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Quotas.By;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The first job of each queue that only lacks room, and which of them is next to hold. What was
 * found of a queue is kept until it is marked.
 */
final class Heads {
    private static final Comparator<Head> BY_RIGHT =
            Comparator.comparing((Head head) -> !head.guaranteed).thenComparingLong(Head::ticket);
    private static final Comparator<Head> BY_TIME =
            Comparator.comparing(Head::ripeAt).thenComparingLong(Head::ticket);

    private final Tables tables;
    private final Eligibility eligibility;
    private final Map<String, Head> heads = new LinkedHashMap<>();
    private final TreeSet<Head> unripe = new TreeSet<>(BY_TIME);
    private final TreeSet<Head> ripe = new TreeSet<>(BY_RIGHT);

    /**
     * @param guaranteed its queue would stay below its guarantee with it
     * @param ripeAt when it has waited long enough to hold
     */
    record Head(JobId job, long ticket, boolean guaranteed, Instant ripeAt) {}

    Heads(Tables tables, Eligibility eligibility) {
        this.tables = tables;
        this.eligibility = eligibility;
    }

    /** To be called before {@link #first} and {@link #nextRipe}. */
    void catchUp() {
        var marked = tables.marks.forHolds.take(tables.queueNames());
        // A job may have gone from one queue to another: first all that was, then what is.
        for (var name : marked) {
            var before = heads.remove(name);
            if (before != null) {
                unripe.remove(before);
                ripe.remove(before);
            }
        }
        for (var name : marked) {
            var queue = tables.queue(name);
            var head = queue == null ? null : of(queue);
            if (head != null) {
                heads.put(name, head);
                unripe.add(head);
            }
        }
        while (!unripe.isEmpty() && !unripe.first().ripeAt().isAfter(tables.now())) {
            ripe.add(unripe.removeFirst());
        }
    }

    /** Of those who have waited long enough; null: nobody has. */
    @Nullable Head first() {
        return ripe.isEmpty() ? null : ripe.first();
    }

    /** When the next of the others will have. */
    @Nullable Instant nextRipe() {
        return unripe.isEmpty() ? null : unripe.first().ripeAt();
    }

    /** As it is now. */
    @Nullable Head of(Queue queue) {
        if (!eligibility.mayStart(queue)) {
            return null;
        }
        for (var line : eligibility.lines(queue)) {
            var job = tables.job(line.head());
            if (job != null && mayHold(queue, job, By.WAITING_JOB)) {
                var since = job.past().since();
                return new Head(
                        job.id(),
                        job.ticket(),
                        eligibility.isGuaranteed(queue, line),
                        since.plus(queue.spec().order().reserveAfter()));
            }
        }
        return null;
    }

    /** Only capacity is in its way, or others who use what its queue was guaranteed. */
    boolean mayHold(Queue queue, Job job, By by) {
        var shape = tables.makeup(job).start();
        var claim = eligibility.claim(queue, job, shape, by);
        return eligibility.mayReclaim(claim) && tables.capacity.couldEverFit(shape);
    }
}
