package dev.muster.coordinator.core.model;

import dev.muster.coordinator.core.model.Fit.Placed;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The pool's one hold: a head that has waited long gets the next room on the nodes of its {@link
 * Room}s.
 *
 * @param since the pool's time
 * @param preempts others are being ended for it, and what they leave is enough
 * @param nextLook when that is looked at again
 */
public record Hold(JobId job, Instant since, boolean preempts, Instant nextLook) implements Row {
    public Hold looked(boolean preempts, Instant next) {
        return new Hold(job, since, preempts, next);
    }

    @Override
    public Key key() {
        return new Key(Table.HOLD, "");
    }

    /**
     * What is held for it on one node.
     *
     * @param parts of its gang that are to go there, by {@link Shape.Part#name}
     */
    public record Room(String node, Amounts amounts, SortedSet<String> parts) implements Row {
        public Room {
            parts = Collections.unmodifiableSortedSet(new TreeSet<>(parts));
        }

        @Override
        public Key key() {
            return new Key(Table.HOLD_ROOM, node);
        }
    }

    /** What a gang needs that is placed so, by node. */
    public static List<Room> rooms(Shape shape, Placed fit) {
        var amounts = new TreeMap<String, Amounts>();
        var parts = new TreeMap<String, TreeSet<String>>();
        for (var placement : fit.pods()) {
            var part = shape.part(placement.rank());
            amounts.merge(placement.node(), part.demand(), Amounts::plus);
            parts.computeIfAbsent(placement.node(), _ -> new TreeSet<>()).add(part.name());
        }
        return parts.entrySet().stream()
                .map(of ->
                        new Room(
                                of.getKey(),
                                amounts.getOrDefault(of.getKey(), Amounts.NONE),
                                of.getValue()))
                .toList();
    }
}
