package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs that lack nothing but room. What was found of a queue is kept until something of it
 * changes, or of the nodes of which the pool consists.
 */
public final class Wanting {
    /** So many pods on nodes are looked at; after that a job counts as one that needs the room. */
    private static final int LOOKS = 1_000;

    private final Tables tables;
    private final Eligibility eligibility;
    private final TreeMap<String, Heads> byQueue = new TreeMap<>();

    /** How many queues have this for the highest priority of theirs. */
    private final TreeMap<Integer, Integer> highest = new TreeMap<>();

    private long at = -1;

    /** The oldest of jobs that are alike. */
    private record Head(JobId job, int priority, Shape shape) {}

    /** Of one queue, at least one. */
    private record Heads(List<Head> all, int highest) {
        static Heads of(List<Head> all) {
            return new Heads(all, all.stream().mapToInt(Head::priority).max().orElseThrow());
        }

        Iterable<Head> from(int priority) {
            return highest < priority
                    ? List.of()
                    : all.stream().filter(head -> head.priority() >= priority)::iterator;
        }
    }

    public Wanting(Tables tables) {
        this.tables = tables;
        this.eligibility = new Eligibility(tables);
    }

    /** One of this priority or a higher one; null: there is none. */
    public @Nullable JobId of(int priority) {
        catchUp();
        var holder = holder(priority);
        if (holder != null) {
            return holder.id();
        }
        if (isNobody(priority)) {
            return null;
        }
        for (var heads : byQueue.values()) {
            for (var head : heads.from(priority)) {
                return head.job();
            }
        }
        return null;
    }

    private boolean isNobody(int priority) {
        return highest.isEmpty() || highest.lastKey() < priority;
    }

    /**
     * The same of those that need what these pods would take: some pod of theirs would fit on one
     * of the nodes if it were empty.
     */
    public @Nullable JobId of(int priority, Placed taken) {
        catchUp();
        var nodes = new TreeSet<String>();
        taken.pods().forEach(pod -> nodes.add(pod.node()));
        int looks = LOOKS;
        var holder = holder(priority);
        if (holder != null && couldUse(tables.makeup(holder).start(), nodes)) {
            return holder.id();
        }
        if (isNobody(priority)) {
            return null;
        }
        for (var heads : byQueue.values()) {
            for (var head : heads.from(priority)) {
                looks -= head.shape().parts().size() * nodes.size();
                if (looks < 0 || couldUse(head.shape(), nodes)) {
                    return head.job();
                }
            }
        }
        return null;
    }

    private @Nullable Job holder(int priority) {
        var hold = tables.hold();
        var job = hold == null ? null : tables.job(hold.job());
        return job != null && job.spec().place().priority() >= priority ? job : null;
    }

    private boolean couldUse(Shape shape, SortedSet<String> nodes) {
        for (var part : shape.parts()) {
            for (var node : nodes) {
                if (tables.capacity.couldTake(node, part)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void catchUp() {
        if (at != tables.capacity.changedForEver() || eligibility.isOrderedByTime()) {
            tables.marks.forWanting.addAll();
            at = tables.capacity.changedForEver();
        }
        tables.reserves.catchUp();
        for (var name : tables.marks.forWanting.take(tables.queueNames())) {
            var queue = tables.queue(name);
            var heads = queue == null ? List.<Head>of() : heads(queue);
            put(name, heads.isEmpty() ? null : Heads.of(heads));
        }
    }

    private void put(String queue, @Nullable Heads now) {
        var before = now == null ? byQueue.remove(queue) : byQueue.put(queue, now);
        if (before != null) {
            highest.computeIfPresent(
                    before.highest(), (_, queues) -> queues == 1 ? null : queues - 1);
        }
        if (now != null) {
            highest.merge(now.highest(), 1, Integer::sum);
        }
    }

    private List<Head> heads(Queue queue) {
        return !eligibility.mayStart(queue)
                ? List.of()
                : eligibility.lines(queue).stream()
                        .filter(line ->
                                eligibility.lacksOnlyRoom(
                                        Eligibility.claim(queue, line, By.WAITING_JOB)))
                        .filter(line -> tables.capacity.couldEverFit(line.shape()))
                        .map(line -> new Head(line.head(), line.priority(), line.shape()))
                        .toList();
    }
}
