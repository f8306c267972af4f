package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import java.util.LinkedHashMap;
import java.util.Map;

/** The kinds of pods that were asked for lately. All can be dropped at any time. */
final class Kinds {
    /** How many numbers are kept in all, for a kind one per node: 32 MiB. */
    private static final int NUMBERS = 1 << 23;

    /** How many of them a stock is worth per node. */
    private static final int STOCK = 20;

    private record Key(View view, Amounts demand, NodeFilter filter) {}

    private final Rooms rooms;
    private final Map<Key, Kind> kinds = new LinkedHashMap<>();
    private final Map<NodeFilter, Matching> matchings = new LinkedHashMap<>();
    private final Map<Key, Distances> distances = new LinkedHashMap<>();
    private final Map<NodeFilter, Stock> stocks = new LinkedHashMap<>();

    Kinds(Rooms rooms) {
        this.rooms = rooms;
    }

    /** Caught up with all changes so far. */
    Kind of(View view, Shape.Part part) {
        return kinds.computeIfAbsent(
                        new Key(view, part.demand(), part.filter()),
                        key -> new Kind(rooms, key.view(), key.demand(), matching(key.filter())))
                .catchUp();
    }

    /** Caught up, too. */
    Distances distances(View view, Shape.Part part) {
        return distances
                .computeIfAbsent(
                        new Key(view, part.demand(), part.filter()),
                        _ -> new Distances(rooms, of(view, part)))
                .catchUp();
    }

    /** Caught up, too. */
    Stock stock(NodeFilter filter) {
        return stocks.computeIfAbsent(filter, f -> new Stock(rooms, matching(f))).catchUp();
    }

    /** Caught up, too. */
    Matching matching(NodeFilter filter) {
        return matchings.computeIfAbsent(filter, f -> new Matching(rooms, f)).catchUp();
    }

    boolean areTooMany() {
        long each = kinds.size() + 2L * distances.size() + (long) stocks.size() * STOCK;
        return each * Math.max(1024, rooms.count()) > NUMBERS;
    }

    void drop() {
        kinds.clear();
        matchings.clear();
        distances.clear();
        stocks.clear();
    }
}
