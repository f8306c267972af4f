package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Fit.Placed;
import dev.muster.coordinator.core.Quotas.By;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs that lack nothing but room. What was found of a queue is kept until something of it
 * changes, or of the nodes of which the pool consists.
 */
final class Wanting {
    /** So many pods on nodes are looked at; after that a job counts as one that needs the room. */
    private static final int LOOKS = 1_000;

    private final Tables tables;
    private final Eligibility eligibility;
    private final TreeMap<String, List<Head>> byQueue = new TreeMap<>();
    private long at = -1;

    /** The oldest of jobs that are alike. */
    private record Head(JobId job, int priority, Shape shape) {}

    Wanting(Tables tables) {
        this.tables = tables;
        this.eligibility = new Eligibility(tables);
    }

    /** One of this priority or a higher one; null: there is none. */
    @Nullable JobId of(int priority) {
        catchUp();
        var holder = holder(priority);
        if (holder != null) {
            return holder.id();
        }
        for (var heads : byQueue.values()) {
            for (var head : heads) {
                if (head.priority() >= priority) {
                    return head.job();
                }
            }
        }
        return null;
    }

    /**
     * The same of those that need what these pods would take: some pod of theirs would fit on one
     * of the nodes if it were empty.
     */
    @Nullable JobId of(int priority, Placed taken) {
        catchUp();
        var nodes = new TreeSet<String>();
        taken.pods().forEach(pod -> nodes.add(pod.node()));
        int looks = LOOKS;
        var holder = holder(priority);
        if (holder != null && couldUse(tables.makeup(holder).start(), nodes)) {
            return holder.id();
        }
        for (var heads : byQueue.values()) {
            for (var head : heads) {
                if (head.priority() >= priority) {
                    looks -= head.shape().parts().size() * nodes.size();
                    if (looks < 0 || couldUse(head.shape(), nodes)) {
                        return head.job();
                    }
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
        for (var name : tables.marks.forWanting.take(tables.queueNames())) {
            var queue = tables.queue(name);
            var heads = queue == null ? List.<Head>of() : heads(queue);
            if (heads.isEmpty()) {
                byQueue.remove(name);
            } else {
                byQueue.put(name, heads);
            }
        }
    }

    private List<Head> heads(Queue queue) {
        return !eligibility.mayStart(queue)
                ? List.of()
                : eligibility.lines(queue).stream()
                        .filter(line ->
                                eligibility.mayReclaim(
                                        Eligibility.claim(queue, line, By.WAITING_JOB)))
                        .filter(line -> tables.capacity.couldEverFit(line.shape()))
                        .map(line -> new Head(line.head(), line.priority(), line.shape()))
                        .toList();
    }
}
