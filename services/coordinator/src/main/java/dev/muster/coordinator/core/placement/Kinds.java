package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Shape;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The kinds of pods that were asked for lately. All can be forgotten at any time; those that were
 * not asked for since as many others were go first.
 */
final class Kinds {
    /**
     * How many bytes are kept of those asked for last, for a kind one per node and {@link #BARE}:
     * 16 MiB, and as much of those asked for before. Where nodes take very many pods a kind has
     * four per node.
     */
    private static final int BYTES = 1 << 24;

    /** Of a kind however few nodes there are: mostly how many of them take so many pods. */
    private static final int BARE = 1_300;

    /** What the distances of a kind, and a stock, are worth per node. */
    private static final long DISTANCE = 8;

    private static final long STOCK = 80;

    /** What was asked for in one time. */
    private static final class Kept {
        private final Map<Key, Kind> kinds = new LinkedHashMap<>();
        private final Map<NodeFilter, Matching> matchings = new LinkedHashMap<>();
        private final Map<Key, Distances> distances = new LinkedHashMap<>();
        private final Map<NodeFilter, Stock> stocks = new LinkedHashMap<>();
    }

    private record Key(View view, Amounts demand, NodeFilter filter, Repulsion repulsion) {
        static Key of(View view, Shape.Part part) {
            var repulsion = view == View.EMPTY ? Repulsion.NONE : part.repulsion();
            return new Key(view, part.demand(), part.filter(), repulsion);
        }
    }

    private final Rooms rooms;
    private Kept now = new Kept();

    /** What was asked for before, and not since. */
    private Kept before = new Kept();

    Kinds(Rooms rooms) {
        this.rooms = rooms;
    }

    /** What is asked for again is kept as long as what is new. */
    private static <K, V> V get(Map<K, V> now, Map<K, V> before, K key, Function<K, V> make) {
        return now.computeIfAbsent(
                key,
                asked -> {
                    var known = before.remove(asked);
                    return known == null ? make.apply(asked) : known;
                });
    }

    /** Caught up with all changes so far. */
    Kind of(View view, Shape.Part part) {
        return get(
                        now.kinds,
                        before.kinds,
                        Key.of(view, part),
                        key -> new Kind(rooms, view, part, matching(key.filter())))
                .catchUp();
    }

    /** Some part of it lacks room, whatever the others take: every search for it ends at once. */
    boolean areHopeless(View view, Shape shape) {
        return shape.parts().stream()
                .anyMatch(part -> !of(view, part).hasRoomFor(part.pods(), part.group().isAlone()));
    }

    /** Caught up, too. */
    Distances distances(View view, Shape.Part part) {
        return get(
                        now.distances,
                        before.distances,
                        Key.of(view, part),
                        _ -> new Distances(rooms, of(view, part)))
                .catchUp();
    }

    /** Caught up, too. */
    Stock stock(NodeFilter filter) {
        return get(now.stocks, before.stocks, filter, f -> new Stock(rooms, matching(f))).catchUp();
    }

    /** Caught up, too. */
    Matching matching(NodeFilter filter) {
        return get(now.matchings, before.matchings, filter, f -> new Matching(rooms, f)).catchUp();
    }

    boolean areTooMany() {
        long each = now.kinds.size() + now.distances.size() * DISTANCE + now.stocks.size() * STOCK;
        return each * (BARE + rooms.count()) > BYTES;
    }

    /** Forgets those that were not asked for since the last call. */
    void age() {
        before = now;
        now = new Kept();
    }
}
