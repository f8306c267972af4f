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
    private final BitSet left;

    /** Rooms by the group of which pods are there. */
    private final SortedMap<String, BitSet> used = new TreeMap<>();

    Closures(Rooms rooms, Kinds kinds, Extra extra, boolean trustedOnly) {
        this.rooms = rooms;
        this.extra = extra;
        this.trustedOnly = trustedOnly;
        this.left = left(rooms, kinds, extra);
    }

    /** To those who wait for room that they could use. */
    private static BitSet left(Rooms rooms, Kinds kinds, Extra extra) {
        var left = new BitSet();
        for (var seeker : extra.seekers()) {
            for (var part : seeker.parts()) {
                var kind = kinds.of(View.EMPTY, part);
                for (int room : rooms.nodes()) {
                    if (kind.slots(room) > 0) {
                        left.set(room);
                    }
                }
            }
        }
        return left;
    }

    /** To one part; what is used by its group is that of all parts that know the group. */
    Seats.Closed of(Shape.Part part) {
        var group = part.group();
        var avoided = named(extra.avoided(), part.role());
        avoided.or(left);
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
