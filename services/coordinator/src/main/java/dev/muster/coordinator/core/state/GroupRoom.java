package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.queue.Ledger.Group;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each group of queues may still use of what some queue is guaranteed. Where guarantees tie
 * queues together, what one uses is the others' matter, but only once what is left passes what some
 * job needs: then all are marked, and else nobody but the one.
 */
public final class GroupRoom {
    private final Tables tables;
    private final Ceilings ceilings;
    private final Map<Of, Levels> known = new LinkedHashMap<>();
    private long shrunk;

    private long changes = -1;
    private long nodes = -1;

    private record Of(String group, String resource) {}

    /**
     * What a job's need is compared with.
     *
     * @param left what nobody of the group uses
     * @param lent the same with what is borrowed of others' guarantees
     * @param ever what all of them may use if nobody does
     * @param unlent some of them keep a part of their guarantees: then each has levels of its own
     */
    private record Levels(long left, long lent, long ever, boolean unlent) {}

    GroupRoom(Tables tables) {
        this.tables = tables;
        this.ceilings = new Ceilings(tables);
    }

    /** Grows whenever something that could start before may not any more. */
    public long shrunk() {
        return shrunk;
    }

    /** Marks the queues on which it bears what changed since the last time. */
    void catchUp() {
        if (changes == tables.ledger.changes() && nodes == tables.capacity.changedForEver()) {
            return; // Often: it is asked before each look at a queue.
        }
        changes = tables.ledger.changes();
        nodes = tables.capacity.changedForEver();
        var guaranteed = tables.ledger.guaranteed();
        if (guaranteed.size() == 0) {
            known.clear();
            return;
        }
        for (var group : tables.ledger.groups().entrySet()) {
            for (int i = 0; i < guaranteed.size(); i++) {
                var of = new Of(group.getKey(), guaranteed.name(i));
                var now = levels(group.getValue(), of.resource());
                var before = known.put(of, now);
                if (!now.equals(before)) {
                    mark(of.resource(), before, now);
                }
            }
        }
    }

    private Levels levels(Group group, String resource) {
        long guaranteed = group.guaranteed().get(resource);
        long beyond = ceilings.beyondAll(resource);
        return new Levels(
                ceilings.mostNow(group, resource) - group.shielded().get(resource),
                guaranteed - group.secured().get(resource) + beyond,
                guaranteed + beyond,
                group.unlent().get(resource) != 0);
    }

    private void mark(String resource, @Nullable Levels before, Levels now) {
        if (before != null && before.lent() != now.lent()) {
            tables.marks.forReserves.addAll(); // Others may lack just that, or no longer.
        }
        if (before == null || isPassed(resource, before.ever(), now.ever(), before, now)) {
            shrunk++;
            tables.marks.ofAll();
        } else if (isPassed(resource, before.left(), now.left(), before, now)) {
            boolean isLess = now.left() < before.left();
            shrunk += isLess ? 1 : 0;
            tables.marks.ofAllForUse(!isLess);
        } else if (now.unlent() || mayBeShort(resource, before, now)) {
            tables.marks.ofAllForRight();
        }
    }

    /** Some job's need lies between, or it may, since each queue has a level of its own. */
    private boolean isPassed(String resource, long one, long other, Levels before, Levels now) {
        return before.unlent() || now.unlent()
                ? one != other || before.unlent() != now.unlent()
                : tables.backlog.needs.isAnyBetween(resource, one, other);
    }

    /** Not everybody is allowed what he needs, nor would be with what others borrow. */
    private boolean mayBeShort(String resource, Levels before, Levels now) {
        var needs = tables.backlog.needs;
        return before.lent() != now.lent()
                && needs.isAnyAbove(resource, now.left())
                && needs.isAnyAbove(resource, Math.min(before.lent(), now.lent()));
    }
}
