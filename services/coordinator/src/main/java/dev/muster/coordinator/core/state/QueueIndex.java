package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.queue.Ledger;
import dev.muster.coordinator.core.queue.Marks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All queues of a pool, and what follows from what is set of them. */
final class QueueIndex {
    private final Ledger ledger;
    private final Marks marks;
    private final Map<String, Queue> queues = new LinkedHashMap<>();
    private final SortedSet<String> names = new TreeSet<>();
    private int standing;

    /** Of any queue, if it is known; 0: none has more. */
    private long largestCredit;

    private boolean isLargestKnown = true;

    QueueIndex(Ledger ledger, Marks marks) {
        this.ledger = ledger;
        this.marks = marks;
    }

    void put(Queue queue) {
        var before = queues.put(queue.name(), queue);
        noteCredit(before, queue.credit());
        if (before != null && before.spec() == queue.spec()) {
            return; // Another credit or reason alone, as all queues may get after a round.
        }
        ledger.put(queue);
        names.add(queue.name());
        standing += standing(queue) - standing(before);
        if (before == null
                || before.leaving() != queue.leaving()
                || !before.spec().equals(queue.spec())) {
            marks.of(queue.name());
        }
    }

    void remove(Queue queue) {
        noteCredit(queues.remove(queue.name()), 0);
        names.remove(queue.name());
        standing -= standing(queue);
        ledger.remove(queue);
        marks.of(queue.name());
    }

    @Nullable Queue get(String name) {
        return queues.get(name);
    }

    /** In order. */
    SortedSet<String> names() {
        return names;
    }

    /** By name, as they are now. */
    List<Queue> all() {
        return names.stream().map(queues::get).toList();
    }

    private void noteCredit(@Nullable Queue before, long credit) {
        if (credit >= largestCredit) {
            largestCredit = isLargestKnown ? credit : largestCredit;
        } else if (before != null && before.credit() == largestCredit) {
            isLargestKnown = false;
        }
    }

    /** 0: none has more. */
    long largestCredit() {
        if (!isLargestKnown) {
            largestCredit = queues.values().stream().mapToLong(Queue::credit).reduce(0, Math::max);
            isLargestKnown = true;
        }
        return largestCredit;
    }

    /** Of some queue a head that may still start keeps others from it. */
    boolean mayAnyStandInTheWay() {
        return standing > 0;
    }

    private static int standing(@Nullable Queue queue) {
        boolean passes = queue == null || queue.spec().order().backfill() && !Reserves.mayBe(queue);
        return passes ? 0 : 1;
    }
}
