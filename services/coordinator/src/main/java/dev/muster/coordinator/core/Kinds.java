package dev.muster.coordinator.core;

import java.util.LinkedHashMap;
import java.util.Map;

/** The kinds of pods that were asked for lately. All can be dropped at any time. */
final class Kinds {
    /** How many numbers are kept in all, one per kind and node: 32 MiB. */
    private static final int NUMBERS = 1 << 23;

    private record Key(View view, Amounts demand, NodeFilter filter) {}

    private final Rooms rooms;
    private final Map<Key, Kind> kinds = new LinkedHashMap<>();
    private final Map<NodeFilter, Matching> matchings = new LinkedHashMap<>();

    Kinds(Rooms rooms) {
        this.rooms = rooms;
    }

    /** Caught up with all changes so far. */
    Kind of(View view, Shape.Part part) {
        return kinds.computeIfAbsent(
                        new Key(view, part.demand(), part.filter()),
                        key ->
                                new Kind(
                                        rooms,
                                        key.view(),
                                        key.demand(),
                                        matchings.computeIfAbsent(
                                                key.filter(),
                                                filter -> new Matching(rooms, filter))))
                .catchUp();
    }

    boolean areTooMany() {
        return (long) kinds.size() * Math.max(1024, rooms.count()) > NUMBERS;
    }

    void drop() {
        kinds.clear();
        matchings.clear();
    }
}
