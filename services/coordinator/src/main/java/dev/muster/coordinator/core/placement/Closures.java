package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Shape;
import java.util.BitSet;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** Rooms that one question closes to the parts of its gang. */
final class Closures {
    private final Rooms rooms;
    private final Extra extra;
    private final boolean trustedOnly;

    /** Rooms by the group of which pods are there. */
    private final SortedMap<String, BitSet> used = new TreeMap<>();

    Closures(Rooms rooms, Extra extra, boolean trustedOnly) {
        this.rooms = rooms;
        this.extra = extra;
        this.trustedOnly = trustedOnly;
    }

    /** To one part; what is used by its group is that of all parts that know the group. */
    Seats.Closed of(Shape.Part part) {
        var group = part.group();
        var avoided = named(extra.avoided(), part.role());
        if (trustedOnly) {
            avoided.or(rooms.suspects());
        }
        return new Seats.Closed(
                avoided,
                named(extra.taken(), group.name()),
                group.apart().stream().map(this::used).toList(),
                used(group.name()));
    }

    private BitSet used(String group) {
        return used.computeIfAbsent(group, _ -> new BitSet());
    }

    private BitSet named(SortedMap<String, SortedSet<String>> nodes, String of) {
        var ids = new BitSet();
        for (var name : nodes.getOrDefault(of, Collections.emptySortedSet())) {
            var room = rooms.find(name);
            if (room != null) {
                ids.set(room.id);
            }
        }
        return ids;
    }
}
