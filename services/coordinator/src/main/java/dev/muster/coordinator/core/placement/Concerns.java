package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Shapes of which it is known how they stand, and those whom what changed since may concern: only
 * they need be asked about again, and such as are not {@link Capacity#isSettled}. What it costs to
 * find them grows with what changed, and with how many there are to be found.
 *
 * <p>A room concerns a shape if it would take one of its pods by what it has, now or before. And it
 * is another reason that is to be told of a shape when a resource comes to be enough in all.
 */
public final class Concerns {
    private final Rooms rooms;
    private final Kinds kinds;
    private final LongSupplier turns;
    private final Set<Shape> all = new LinkedHashSet<>();
    private final Needs needs = new Needs();
    private final List<Peaks> peaks;
    private final Map<NodeFilter, Stocked> stocks = new LinkedHashMap<>();
    private long turnsAtMoved;
    private long turnsAtJudged;

    /**
     * @param turns grows whenever all may stand otherwise
     */
    Concerns(Rooms rooms, Kinds kinds, LongSupplier turns, View... views) {
        this.rooms = rooms;
        this.kinds = kinds;
        this.turns = turns;
        this.peaks = Arrays.stream(views).map(view -> new Peaks(rooms, view)).toList();
    }

    /** Of a shape that is new all is asked about after this call. */
    public void add(Shape shape) {
        if (all.add(shape)) {
            needs.add(shape);
            stocks.computeIfAbsent(filter(shape), Stocked::new).add(shape);
        }
    }

    public void remove(Shape shape) {
        if (all.remove(shape)) {
            needs.remove(shape);
            var stocked = stocks.get(filter(shape));
            if (stocked != null) {
                stocked.remove(shape);
                if (stocked.isEmpty()) {
                    stocks.remove(filter(shape));
                }
            }
        }
    }

    private static NodeFilter filter(Shape shape) {
        return shape.parts().getFirst().filter();
    }

    /** Those that may have come to fit since the last call, or to fit no more, now or ever. */
    public Set<Shape> moved() {
        var moved = new LinkedHashSet<Shape>();
        for (var of : peaks) {
            of.catchUp(peak -> {
                if (moved.size() < all.size()) {
                    needs.within(peak, rooms.resources, moved);
                }
            });
        }
        boolean haveAll = turnsAtMoved != turns.getAsLong();
        turnsAtMoved = turns.getAsLong();
        return haveAll ? Collections.unmodifiableSet(all) : moved;
    }

    /**
     * Those of which another reason may be to be told since the last call, if they did not move.
     */
    public Set<Shape> judged() {
        var judged = new LinkedHashSet<Shape>();
        stocks.values().forEach(stocked -> stocked.passed(rooms, kinds, judged));
        boolean areAll = turnsAtJudged != turns.getAsLong();
        turnsAtJudged = turns.getAsLong();
        return areAll ? Collections.unmodifiableSet(all) : judged;
    }
}
