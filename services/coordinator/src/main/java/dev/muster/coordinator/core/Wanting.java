package dev.muster.coordinator.core;

import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs that lack nothing but room. What was found of a queue is kept until something of it
 * changes, or of the nodes of which the pool consists.
 */
final class Wanting {
    private final Tables tables;
    private final Eligibility eligibility;
    private final TreeMap<String, List<Head>> byQueue = new TreeMap<>();
    private long at = -1;

    /** The oldest of jobs that are alike. */
    private record Head(JobId job, int priority) {}

    Wanting(Tables tables) {
        this.tables = tables;
        this.eligibility = new Eligibility(tables);
    }

    /** One of this priority or a higher one; null: there is none. */
    @Nullable JobId of(int priority) {
        catchUp();
        for (var heads : byQueue.values()) {
            for (var head : heads) {
                if (head.priority() >= priority) {
                    return head.job();
                }
            }
        }
        return null;
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
                        .filter(line -> eligibility.excess(queue, line) == null)
                        .filter(line -> tables.capacity.couldEverFit(line.shape()))
                        .map(line -> new Head(line.head(), line.likeness().priority()))
                        .toList();
    }
}
