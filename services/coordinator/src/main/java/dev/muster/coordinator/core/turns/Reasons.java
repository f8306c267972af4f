package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Gist;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.QueueStates;
import dev.muster.coordinator.core.state.QuotaShortage;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Why queues and jobs wait, told when it becomes another reason. */
final class Reasons {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final Eligibility eligibility;
    private final ShutDoors doors;

    /** Queues that were marked and not told yet. */
    private final SortedSet<String> untold = new TreeSet<>();

    /** Of the last look at it. */
    private @Nullable Holder holder;

    /**
     * What keeps the holder from starting. What is held for it is in nobody's way but others', and
     * so nobody marks its queue when it lacks something else.
     *
     * @param gist null: nothing does
     */
    private record Holder(JobId job, String queue, @Nullable Gist gist) {}

    Reasons(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.eligibility = tables.eligibility;
        this.doors = new ShutDoors(tables);
    }

    private @Nullable QuotaShortage excess(Queue queue, Line line) {
        var by = eligibility.asWaiting(line.head());
        return eligibility.excess(Eligibility.claim(queue, line, by));
    }

    private boolean isHolder(Line line) {
        return line.head().equals(tables.holder());
    }

    private @Nullable Gist gist(Queue queue, Line line) {
        var excess = excess(queue, line);
        if (excess != null) {
            return gist(excess);
        }
        return isHolder(line) ? gistBeside(line.shape()) : tables.capacity.gist(line.shape());
    }

    /** With all that is held; null: it fits there. */
    private @Nullable Gist gistBeside(Shape shape) {
        return tables.held.fit(shape) instanceof Short why ? why.reason(tables.now()).gist() : null;
    }

    /**
     * Tells every queue that was marked, and the head of each of its lines.
     *
     * @param most effects at most
     * @return whether everything was told
     */
    boolean tellAll(int most) {
        int before = journal.effects();
        untold.addAll(tables.marked(tables.marks.forReasons));
        lookAtHolder();
        while (!untold.isEmpty()) {
            var queue = tables.queue(untold.first());
            if (queue != null) {
                tell(queue, most - (journal.effects() - before));
            }
            if (journal.effects() - before >= most) {
                return false;
            }
            untold.removeFirst();
        }
        return true;
    }

    private void lookAtHolder() {
        var job = tables.holdingJob();
        var claim = job == null ? null : eligibility.toStart(job, By.HOLDER);
        Holder now = null;
        if (job != null && claim != null) {
            var excess = eligibility.excess(claim);
            var gist = excess == null ? gistBeside(tables.makeup(job).start()) : gist(excess);
            now = new Holder(job.id(), claim.queue().name(), gist);
        }
        if (now != null && !now.equals(holder)) {
            untold.add(now.queue());
        }
        holder = now;
    }

    private void tell(Queue queue, int most) {
        int before = journal.effects();
        var lines = eligibility.lines(queue);
        var reason = ofQueue(queue, lines);
        publish(queue, reason);
        if (areHeadsTold(reason)) {
            tellHeads(queue, lines, most - (journal.effects() - before));
        }
    }

    /** Nothing is in the way of all alike: each head is told what is in its own. */
    private static boolean areHeadsTold(@Nullable WaitReason ofAll) {
        return ofAll == null || ofAll.code() == Code.BEHIND_HEAD;
    }

    private void tellHeads(Queue queue, List<Line> lines, int most) {
        int before = journal.effects();
        for (var line : lines) {
            tell(queue, line, null);
            if (eligibility.blocks(queue, line) || journal.effects() - before >= most) {
                return;
            }
        }
    }

    /**
     * Tells the head of a line that was found not to be startable, and its queue. One that stands
     * behind the first lines changes nothing of what rounds, which look at those, say of all.
     */
    void tell(Line line, Queue queue) {
        eligibility.lines(queue); // Which are its first ones may have changed.
        var reason = line.isFirst() ? ofQueueWith(queue, line) : queue.reason();
        publish(queue, reason);
        if (areHeadsTold(reason) && !areHeadsTold(queue.reason())) {
            tables.startsAreDue(); // That holds no more, and others were told nothing else.
        }
        if (!isSaid(queue, line, reason)) {
            tell(queue, line, reason);
        }
    }

    /**
     * What is said of all holds for it, whatever else is in its way. Of what stands behind a head
     * that nothing passes no sweep says anything else later.
     */
    private boolean isSaid(Queue queue, Line line, @Nullable WaitReason ofAll) {
        if (ofAll == null) {
            return false;
        }
        boolean isSilent = ofAll.code() == Code.BEHIND_HEAD || !line.isFirst();
        return ofAll.isOfDoors() || isSilent && isBehindHead(queue, line);
    }

    /** Who comes before the head that nothing passes could never start. */
    private boolean isBehindHead(Queue queue, Line line) {
        var head = eligibility.blocking(queue, eligibility.lines(queue));
        var order = eligibility.order(queue, tables.now());
        return head != null && order.of(head).compareTo(order.of(line)) < 0;
    }

    /**
     * Tells the head of a line, unless it was told that already.
     *
     * @param ofAll what is said of the whole queue
     */
    private void tell(Queue queue, Line line, @Nullable WaitReason ofAll) {
        var job = tables.job(line.head());
        var told =
                job != null && job.state() instanceof JobState.Queued queued
                        ? queued.reason()
                        : null;
        var gist = gist(queue, line);
        boolean isNews = gist != null && gist.isNewsAfter(told) && gist.isNewsAfter(ofAll);
        var reason = job == null || !isNews ? null : ofLine(queue, line);
        if (job != null && reason != null) {
            jobs.explain(job, reason);
        }
    }

    /**
     * Tells the heads of lines that no round looks at. What holds for the queue is said there.
     *
     * @param most effects at most
     * @return whether everything was told
     */
    boolean tellFurther(Queue queue, List<Line> lines, int most) {
        int before = journal.effects();
        for (var line : lines) {
            tell(queue, line, queue.reason());
            if (journal.effects() - before >= most) {
                return false;
            }
        }
        return true;
    }

    private void publish(Queue queue, @Nullable WaitReason reason) {
        var before = queue.reason();
        boolean isNews =
                reason == null
                        ? before != null
                        : reason.isNewsAfter(before) || isOtherDoor(reason, before);
        if (isNews) {
            var next = queue.because(reason);
            tables.put(next);
            journal.publish(QueueStates.of(tables, next));
        }
    }

    /** Where doors are shut nothing has numbers that move: other words are another cause. */
    private static boolean isOtherDoor(WaitReason now, @Nullable WaitReason before) {
        return before != null && now.isOfDoors() && !now.since(before.since()).equals(before);
    }

    /** What holds for every job of the queue; null: nothing. */
    private @Nullable WaitReason ofQueue(Queue queue, List<Line> lines) {
        var ofDoors = doors.reason(queue);
        var ofQuota = ofDoors == null ? ofQuota(queue, lines) : ofDoors;
        return ofQuota == null ? ofHead(queue, lines) : ofQuota;
    }

    /**
     * The same where only this line is new: what is said of the queue holds for it, too, or not.
     */
    private @Nullable WaitReason ofQueueWith(Queue queue, Line line) {
        var excess = excess(queue, line);
        var said = queue.reason();
        boolean isSaid =
                excess != null && !gist(excess).isNewsAfter(said) && excess.isOne(ofFirst(queue));
        var lines = excess == null ? List.<Line>of() : eligibility.lines(queue);
        var ofDoors = doors.reason(queue);
        if (ofDoors != null || isSaid) {
            return ofDoors == null ? said : ofDoors;
        }
        var ofQuota = ofQuota(queue, lines);
        return ofQuota == null ? ofHead(queue, eligibility.lines(queue)) : ofQuota;
    }

    /** Whose numbers stand for all of the queue where one quota shuts it. */
    private @Nullable QuotaShortage ofFirst(Queue queue) {
        var lines = eligibility.lines(queue);
        return lines.isEmpty() ? null : excess(queue, lines.getFirst());
    }

    private @Nullable WaitReason ofHead(Queue queue, List<Line> lines) {
        var line = eligibility.blocking(queue, lines);
        return line == null ? null : WaitReason.behind(line.head(), tables.now());
    }

    /** All of its lines are shut by one and the same quota. */
    private @Nullable WaitReason ofQuota(Queue queue, List<Line> lines) {
        var excesses = new ArrayList<QuotaShortage>();
        for (var line : lines) {
            var excess = excess(queue, line);
            if (excess == null || excess.code() != Code.QUOTA_EXCEEDED) {
                return null;
            }
            excesses.add(excess);
        }
        if (excesses.isEmpty()) {
            return null;
        }
        var first = excesses.getFirst();
        boolean isOne = excesses.stream().allMatch(first::isOne);
        return isOne && !first.scope().startsWith("namespace ") ? first.reason(tables.now()) : null;
    }

    /** The head's own; null: nothing is in its way but turns. */
    @Nullable WaitReason ofLine(Queue queue, Line line) {
        var excess = excess(queue, line);
        if (excess != null) {
            return excess.reason(tables.now());
        }
        var fit =
                isHolder(line) ? tables.held.fit(line.shape()) : tables.capacity.fit(line.shape());
        return fit instanceof Short why ? why.reason(tables.now()) : null;
    }

    private static Gist gist(QuotaShortage excess) {
        return new Gist(excess.code(), excess.scope());
    }
}
