package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Sweep.Place;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.queue.Lines;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The first job of each queue that only lacks room, and which of them is next to hold. What was
 * found of a queue is kept until it is marked.
 */
public final class Heads {
    private static final Comparator<Head> BY_RIGHT =
            Comparator.comparing((Head head) -> !head.guaranteed).thenComparingLong(Head::ticket);
    private static final Comparator<Head> BY_TIME =
            Comparator.comparing(Head::ripeAt).thenComparingLong(Head::ticket);

    private final Tables tables;
    private final Eligibility eligibility;
    private final Map<String, Head> heads = new LinkedHashMap<>();
    private final TreeSet<Head> unripe = new TreeSet<>(BY_TIME);
    private final TreeSet<Head> unripeGuaranteed = new TreeSet<>(BY_TIME);
    private final TreeSet<Head> ripe = new TreeSet<>(BY_RIGHT);

    /**
     * @param guaranteed its queue would stay below its guarantee with it
     * @param ripeAt when it has waited long enough to hold
     */
    public record Head(JobId job, long ticket, boolean guaranteed, Instant ripeAt) {}

    public Heads(Tables tables) {
        this.tables = tables;
        this.eligibility = tables.eligibility;
    }

    /** To be called before {@link #first} and {@link #nextRipe}. */
    public void catchUp() {
        var marked = tables.marked(tables.marks.forHolds);
        // A job may have gone from one queue to another: first all that was, then what is.
        for (var name : marked) {
            var before = heads.remove(name);
            if (before != null) {
                unripe.remove(before);
                unripeGuaranteed.remove(before);
                ripe.remove(before);
            }
        }
        for (var name : marked) {
            var queue = tables.queue(name);
            var head = queue == null ? null : of(queue);
            if (head != null) {
                heads.put(name, head);
                unripe.add(head);
                if (head.guaranteed()) {
                    unripeGuaranteed.add(head);
                }
            }
        }
        while (!unripe.isEmpty() && !unripe.first().ripeAt().isAfter(tables.now())) {
            var head = unripe.removeFirst();
            unripeGuaranteed.remove(head);
            ripe.add(head);
        }
    }

    /** Of those who have waited long enough; null: nobody has. */
    public @Nullable Head first() {
        return ripe.isEmpty() ? null : ripe.first();
    }

    /** When the next of the others will have. */
    public @Nullable Instant nextRipe() {
        return unripe.isEmpty() ? null : unripe.first().ripeAt();
    }

    /** The same of those who would stay below their guarantee. */
    @Nullable Instant nextRipeGuaranteed() {
        return unripeGuaranteed.isEmpty() ? null : unripeGuaranteed.first().ripeAt();
    }

    /** As it is now. */
    @Nullable Head of(Queue queue) {
        if (!eligibility.mayStart(queue)) {
            return null;
        }
        var lines = eligibility.lines(queue);
        var job = firstOf(queue, lines);
        if (job == null && eligibility.blocking(queue, lines) == null) {
            job = distant(queue);
        }
        if (job == null) {
            return null;
        }
        var claim = eligibility.toStart(queue, job, eligibility.asWaiting(job.id()));
        return new Head(job.id(), job.ticket(), eligibility.isGuaranteed(claim), queue.ripeAt(job));
    }

    /** Room is held for no job that a blocking line before it would not let start. */
    private @Nullable Job firstOf(Queue queue, List<Line> lines) {
        for (var line : lines) {
            var job = tables.job(line.head());
            if (job != null && mayHold(queue, job)) {
                return job;
            }
            if (eligibility.blocks(queue, line)) {
                return null;
            }
        }
        return null;
    }

    /** The holder, too: it is the head of its queue, whatever is held for it. */
    private boolean mayHold(Queue queue, Job job) {
        return eligibility.mayHold(queue, job, eligibility.asWaiting(job.id()));
    }

    /** A head before it lets nobody pass. */
    boolean isBehind(Queue queue, Job job) {
        return isBehind(queue, job, eligibility.lines(queue));
    }

    private boolean isBehind(Queue queue, Job job, List<Line> lines) {
        var blocking = eligibility.blocking(queue, lines);
        if (blocking == null) {
            return false;
        }
        var order = eligibility.order(queue, tables.now());
        return order.of(blocking).compareTo(place(order, job)) < 0;
    }

    /** As was noted, if it may still hold. */
    private @Nullable Job distant(Queue queue) {
        var job = queue.distant() == null ? null : tables.job(queue.distant());
        boolean waits =
                job != null
                        && job.spec().queue().equals(queue.name())
                        && tables.backlog.lineOf(job, tables.makeup(job)) != null;
        return job != null && waits && mayHold(queue, job) ? job : null;
    }

    /**
     * Notes the first of some lines that may hold, unless one is known that goes before it.
     *
     * @return who was not known before; null: nobody
     */
    @Nullable Job note(Queue queue, List<Line> further) {
        var distant = distant(queue);
        var known = distant != null && isBehind(queue, distant, further) ? null : distant;
        var found = firstOf(queue, further);
        var best = known == null || found != null && isBefore(queue, found, known) ? found : known;
        var id = best == null ? null : best.id();
        if (Objects.equals(id, queue.distant())) {
            return null;
        }
        tables.put(queue.noting(id));
        tables.marks.forHolds.add(queue.name());
        tables.marks.forReserves.add(queue.name());
        return best;
    }

    private boolean isBefore(Queue queue, Job one, Job other) {
        var order = eligibility.order(queue, tables.now());
        return place(order, one).compareTo(place(order, other)) < 0;
    }

    private Place place(Lines.Order order, Job job) {
        var line = tables.backlog.lineOf(job, tables.makeup(job));
        return line == null ? new Place(Long.MIN_VALUE, null, job.ticket()) : order.of(line);
    }
}
