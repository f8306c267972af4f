package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Shape;
import java.util.LinkedHashMap;
import java.util.Map;

/** The kinds of pods that were asked for lately. All can be dropped at any time. */
final class Kinds {
    /** How many numbers are kept in all, for a kind one per node: 32 MiB. */
    private static final int NUMBERS = 1 << 23;

    /** How many of them a stock is worth per node. */
    private static final int STOCK = 20;

    private record Key(View view, Amounts demand, NodeFilter filter, Repulsion repulsion) {
        static Key of(View view, Shape.Part part) {
            var repulsion = view == View.EMPTY ? Repulsion.NONE : part.repulsion();
            return new Key(view, part.demand(), part.filter(), repulsion);
        }
    }

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
                        Key.of(view, part),
                        key -> new Kind(rooms, view, part, matching(key.filter())))
                .catchUp();
    }

    /** Caught up, too. */
    Distances distances(View view, Shape.Part part) {
        return distances
                .computeIfAbsent(Key.of(view, part), _ -> new Distances(rooms, of(view, part)))
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
