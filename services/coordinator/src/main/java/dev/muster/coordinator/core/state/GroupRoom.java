package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.queue.Ledger.Group;
import dev.muster.coordinator.core.queue.Marks;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each group of queues may still use of what some queue is guaranteed. Where guarantees tie
 * queues together, what one uses is the others' matter, but only once what is left passes what some
 * job needs: then all are marked, and else nobody but the one. Of what others use within their
 * guarantees, or borrow, only those are marked for whom it becomes enough or too little.
 */
public final class GroupRoom {
    private final Tables tables;
    private final Ceilings ceilings;
    private final Map<Of, Levels> known = new LinkedHashMap<>();

    /** By what others use of their guarantees, or do not. */
    private final Thresholds<Of> rights = new Thresholds<>();

    /** As it stood when each of them looked at the marked. */
    private final Map<Marks.Marked, Map<Of, Levels>> looks = new LinkedHashMap<>();

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
        this.ceilings = tables.ceilings;
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
            rights.clear();
            return;
        }
        for (var group : tables.ledger.groups().entrySet()) {
            for (int i = 0; i < guaranteed.size(); i++) {
                var of = new Of(group.getKey(), guaranteed.name(i));
                var now = levels(group.getValue(), of.resource());
                var before = known.put(of, now);
                if (!now.equals(before)) {
                    mark(of, before, now);
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

    private void mark(Of of, @Nullable Levels before, Levels now) {
        var resource = of.resource();
        rights.passed(of, now.lent()).forEach(tables.marks::ofRight);
        if (before == null || isPassed(resource, before.ever(), now.ever(), before, now)) {
            shrunk++;
            tables.marks.ofAll();
        } else if (isPassed(resource, before.left(), now.left(), before, now)) {
            if (now.left() < before.left()) {
                shrunk++;
            } else {
                tables.marks.forTurns.addAll();
            }
        }
    }

    /** Some job's need lies between, or it may, since each queue has a level of its own. */
    private boolean isPassed(String resource, long one, long other, Levels before, Levels now) {
        return before.unlent() || now.unlent()
                ? one != other || before.unlent() != now.unlent()
                : tables.backlog.needs.isAnyBetween(resource, one, other);
    }

    /**
     * Marks all for one who looks at the marked queues now and at none between two looks: what was
     * used and given back meanwhile changes nothing for him.
     */
    void catchUp(Marks.Marked marked) {
        catchUp();
        var seen = looks.computeIfAbsent(marked, _ -> new LinkedHashMap<>());
        seen.keySet().retainAll(known.keySet());
        known.forEach((of, now) -> {
            var before = seen.put(of, now);
            if (before != null && isPassed(of.resource(), before.left(), now.left(), before, now)) {
                marked.addAll();
            }
        });
    }

    /**
     * Finds the queue from now on when what it may have back of what others use becomes enough for
     * a job of its, or too little; to be called whenever its jobs or what it uses are others.
     */
    void watch(String name) {
        rights.forget(name);
        var queue = tables.queue(name);
        var needs = tables.backlog.needs(name);
        if (queue == null || needs == null) {
            return;
        }
        var group = queue.spec().quota().group();
        var secured = tables.ledger.account(name).secured();
        var guaranteed = tables.ledger.guaranteed();
        for (int i = 0; i < guaranteed.size(); i++) {
            var of = new Of(group == null ? "" : group, guaranteed.name(i));
            var levels = known.get(of);
            if (levels != null) {
                long own = secured.get(of.resource());
                var more = needs.above(of.resource(), levels.lent() + own);
                var enough = needs.within(of.resource(), levels.lent() + own);
                rights.set(
                        name,
                        of,
                        more == null ? null : more - own,
                        enough == null ? null : enough - own);
            }
        }
    }
}
