package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.placement.Concerns;
import dev.muster.coordinator.core.placement.View;
import dev.muster.coordinator.core.queue.Backlog;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Quotas.Claim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of quotas for jobs that have waited for long, as {@code Holds} keeps room for one of
 * them: what the first job of a queue needs counts as used for all others of its queue, and in the
 * quota of its namespace that of the one who has had the right to it for longest. Nothing of nodes
 * is kept so, and nothing for who lacks what others use within their guarantees: as long as they do
 * it would idle. It follows from the rows and the time; what was found of a queue is kept until it
 * is marked.
 */
public final class Reserves {
    private static final Comparator<Reserve> BY_TIME =
            Comparator.comparing(Reserve::from).thenComparingLong(Reserve::ticket);

    private final Tables tables;
    private final Eligibility eligibility;
    private final Map<String, Reserve> byQueue = new LinkedHashMap<>();
    private final Map<String, TreeSet<Reserve>> byNamespace = new LinkedHashMap<>();
    private final TreeSet<Reserve> unripe = new TreeSet<>(BY_TIME);

    /** Of the others, those that {@link #firstAwake} may name. */
    private final TreeSet<Reserve> awake = new TreeSet<>(Comparator.comparingLong(Reserve::ticket));

    /** Queues whose first job is named later. */
    private final Set<String> resting = new LinkedHashSet<>();

    /** Of the shapes of first lines, as they stood after the last change of nodes. */
    private final Map<Shape, Boolean> couldEverFit = new LinkedHashMap<>();

    /** Those of them that any change may concern; which others it does is told by this. */
    private final Set<Shape> unsettled = new LinkedHashSet<>();

    private final Concerns concerns;
    private long nodes = -1;

    /** For somebody who had waited long enough nothing is kept any more. */
    private boolean isLess;

    /**
     * @param from when its job has waited long enough
     */
    record Reserve(
            JobId job, String queue, String namespace, Use need, Instant from, long ticket) {}

    Reserves(Tables tables) {
        this.tables = tables;
        this.eligibility = tables.eligibility;
        this.concerns = tables.capacity.concerns(View.EMPTY);
    }

    /** Something of quotas may be kept for its first job. */
    static boolean mayBe(Queue queue) {
        var spec = queue.spec();
        var quota = spec.quota();
        return spec.doors().limitsRunning()
                || !quota.limit().isEmpty()
                || !quota.borrowLimit().isEmpty()
                || !quota.borrowing();
    }

    /** The same, or of a namespace's. */
    public boolean mayBeIn(Queue queue) {
        return mayBe(queue) || tables.namespaces.isAny();
    }

    /** It has come before others of its queue, for one of whom something may have been kept. */
    public boolean isInFrontOfOne(Queue queue, Line line) {
        if (!mayBeIn(queue) || line.size() > 1) {
            return false;
        }
        catchUp();
        var first = byQueue.get(queue.name());
        return first != null
                && first.job().equals(line.head())
                && tables.backlog.size(queue.name()) > 1;
    }

    /** The oldest for whom something may be kept now and whose queue does not rest. */
    public @Nullable JobId firstAwake() {
        catchUp();
        return awake.isEmpty() ? null : awake.first().job();
    }

    /** For how many jobs something may be kept now. */
    public int ripe() {
        catchUp();
        return byQueue.size() - unripe.size();
    }

    /** When the next one has waited long enough; null: there is none. */
    public @Nullable Instant nextRipe() {
        catchUp();
        return unripe.isEmpty() ? null : unripe.first().from();
    }

    /** While the queue has an alarm of this kind its first job is not named. */
    void rests(Alarm alarm, boolean rests) {
        var queue = alarm.subject();
        if (alarm.kind() != Alarm.Kind.RESERVE || queue.isEmpty()) {
            return;
        }
        var reserve = byQueue.get(queue);
        if (rests) {
            resting.add(queue);
            if (reserve != null) {
                awake.remove(reserve);
            }
        } else if (resting.remove(queue) && reserve != null && !unripe.contains(reserve)) {
            awake.add(reserve);
        }
    }

    /** Less is kept than when this was asked before: others may be startable. */
    public boolean haveShrunk() {
        catchUp();
        boolean was = isLess;
        isLess = false;
        return was;
    }

    /** What the claim comes after in its queue's own quotas; null: nothing but what is held. */
    @Nullable Reserve inQueueOf(Claim claim) {
        if (!claim.by().comesAfterReserves()) {
            return null;
        }
        catchUp();
        return from(claim, byQueue.get(claim.queue().name()));
    }

    /** The same in its namespace's quota. */
    @Nullable Reserve inNamespaceOf(Claim claim) {
        if (!claim.by().comesAfterReserves()) {
            return null;
        }
        catchUp();
        var all = byNamespace.get(claim.namespace());
        return all == null ? null : from(claim, all.first());
    }

    private @Nullable Reserve from(Claim claim, @Nullable Reserve reserve) {
        boolean counts =
                reserve != null
                        && ripe(reserve) != null
                        && !claim.isOf(reserve.job())
                        && !reserve.job().equals(tables.holder());
        return counts ? reserve : null;
    }

    private @Nullable Reserve ripe(@Nullable Reserve reserve) {
        return reserve == null || reserve.from().isAfter(tables.now()) ? null : reserve;
    }

    /** Marks the queues that may start less or more by it; to be called before those are taken. */
    public void catchUp() {
        tables.groupRoom.catchUp();
        tables.backlog.markTurned(tables.now());
        if (nodes != tables.capacity.changedForEver()) {
            nodes = tables.capacity.changedForEver();
            markWhereOthersCouldEverFit();
        }
        var next = new ArrayList<Reserve>();
        // A job may have gone from one queue to another: first all that was, then what is.
        for (var name : tables.marks.forReserves.take(tables.queueNames())) {
            tables.groupRoom.watch(name);
            var queue = tables.queue(name);
            var before = byQueue.get(name);
            var now = queue == null ? null : of(queue);
            if (before != null && !before.equals(now)) {
                drop(before);
            }
            if (now != null && !now.equals(before)) {
                next.add(now);
            }
        }
        next.forEach(this::keep);
        while (!unripe.isEmpty() && ripe(unripe.first()) != null) {
            var reserve = unripe.removeFirst();
            if (!resting.contains(reserve.queue())) {
                awake.add(reserve);
            }
            changed(reserve);
        }
    }

    /** What stands behind the first lines is not known by shape. */
    private void markWhereOthersCouldEverFit() {
        var asked = new LinkedHashSet<>(unsettled);
        for (var shape : tables.backlog.changedForReserves.take()) {
            if (tables.backlog.isFirst(shape)) {
                concerns.add(shape);
                asked.add(shape);
            } else {
                concerns.remove(shape);
                couldEverFit.remove(shape);
                unsettled.remove(shape);
                asked.remove(shape);
            }
        }
        asked.addAll(concerns.moved());
        asked.forEach(this::markWhereItCouldEverFit);
        tables.backlog.deep().forEach(tables.marks.forReserves::add);
    }

    private void markWhereItCouldEverFit(Shape shape) {
        boolean could = tables.capacity.couldEverFit(shape);
        if (!Boolean.valueOf(could).equals(couldEverFit.put(shape, could))) {
            tables.backlog.queues(shape).forEach(tables.marks.forReserves::add);
        }
        if (tables.capacity.isSettledForEver(shape)) {
            unsettled.remove(shape);
        } else {
            unsettled.add(shape);
        }
    }

    private @Nullable Reserve of(Queue queue) {
        if (!mayBeIn(queue) || !eligibility.mayStart(queue)) {
            return null;
        }
        var order = eligibility.order(queue, tables.now());
        eligibility.lines(queue); // By these it is found when it has to be looked at again.
        var lines = tables.backlog.inOrder(queue.name(), order);
        for (int looks = Backlog.DEPTH; looks > 0 && lines.hasNext(); looks--) {
            var line = lines.next();
            var job = tables.job(line.head());
            var reserve = job == null ? null : of(queue, job, line);
            if (reserve != null) {
                return reserve;
            }
            // Whoever may not pass it would let what is kept idle as long as it waits.
            if (eligibility.blocks(queue, line)) {
                return null;
            }
        }
        return lines.hasNext() ? distant(queue) : null;
    }

    /** None of its first lines is one for whom something is kept; one of the others was noted. */
    private @Nullable Reserve distant(Queue queue) {
        var job = queue.distant() == null ? null : tables.job(queue.distant());
        boolean isIts = job != null && job.spec().queue().equals(queue.name());
        var line = job == null || !isIts ? null : tables.backlog.lineOf(job, tables.makeup(job));
        return job == null || line == null ? null : of(queue, job, line);
    }

    /** Null: nothing is kept for it. */
    private @Nullable Reserve of(Queue queue, Job job, Line line) {
        var claim = Eligibility.claim(queue, line, By.WAITING_JOB);
        boolean isKept =
                eligibility.couldEverStart(claim, line.shape())
                        && !eligibility.lacksWhatOthersWereGuaranteed(claim);
        return isKept
                ? new Reserve(
                        job.id(),
                        queue.name(),
                        claim.namespace(),
                        claim.need(),
                        queue.ripeAt(job),
                        job.ticket())
                : null;
    }

    private void drop(Reserve reserve) {
        byQueue.remove(reserve.queue());
        boolean wasKept = !unripe.remove(reserve);
        awake.remove(reserve);
        byNamespace.computeIfPresent(
                reserve.namespace(),
                (_, all) -> {
                    all.remove(reserve);
                    return all.isEmpty() ? null : all;
                });
        if (wasKept) {
            isLess = true;
            changed(reserve);
        }
    }

    private void keep(Reserve reserve) {
        byQueue.put(reserve.queue(), reserve);
        byNamespace.computeIfAbsent(reserve.namespace(), _ -> new TreeSet<>(BY_TIME)).add(reserve);
        unripe.add(reserve);
    }

    private void changed(Reserve reserve) {
        tables.marks.ofUse(reserve.queue());
        tables.namespaces.used(reserve.namespace(), true);
    }
}
