package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.placement.Peaks.Change;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Shapes of which it is known how they stand, and those whom what changed since may concern: only
 * they need be asked about again, and such as are not {@link Capacity#isSettled}. What it costs to
 * find them grows with what changed, and mostly with how many there are to be found: of others,
 * too, needs are read where each resource alone leaves many.
 *
 * <p>A room concerns a shape if it would take one of its pods by what it has, now or before. If how
 * many pods each room takes is all that counts it does so only where that is another number. Of
 * which another reason is to be told although no room concerns them is known by {@link Stocks}.
 */
public final class Concerns {
    private final Rooms rooms;
    private final LongSupplier turns;
    private final Set<Shape> all = new LinkedHashSet<>();

    /** Of those that fit by how many pods each room takes. */
    private final Needs counted = new Needs();

    private final Needs others = new Needs();
    private final List<Peaks> peaks;
    private long turnsBefore;

    /**
     * @param turns grows whenever all may stand otherwise
     */
    Concerns(Rooms rooms, LongSupplier turns, View... views) {
        this.rooms = rooms;
        this.turns = turns;
        this.peaks = Arrays.stream(views).map(view -> new Peaks(rooms, view)).toList();
    }

    /** Of a shape that is new all is asked about after this call. */
    public void add(Shape shape) {
        if (all.add(shape)) {
            needs(shape).add(shape);
        }
    }

    public void remove(Shape shape) {
        if (all.remove(shape)) {
            needs(shape).remove(shape);
        }
    }

    /** Who is there matters to those that keep apart from others, too. */
    private Needs needs(Shape shape) {
        boolean isCounted = !shape.isSearched() && shape.parts().getFirst().repulsion().isNone();
        return isCounted ? counted : others;
    }

    /** How many entries are kept of all, which is the memory it takes. To be seen by tests. */
    int size() {
        return counted.size() + others.size();
    }

    /** At how many needs of shapes was looked ever. To be seen by tests. */
    long looked() {
        return counted.looked() + others.looked();
    }

    /** Those that may have come to fit since the last call, or to fit no more, now or ever. */
    public Set<Shape> moved() {
        var moved = new LinkedHashSet<Shape>();
        for (var of : peaks) {
            of.catchUp(change -> {
                if (moved.size() < all.size()) {
                    find(change, moved);
                }
            });
        }
        boolean haveAll = turnsBefore != turns.getAsLong();
        turnsBefore = turns.getAsLong();
        return haveAll ? Collections.unmodifiableSet(all) : moved;
    }

    private void find(Change change, Set<Shape> moved) {
        others.within(change.most(), rooms.resources, moved);
        if (change.looksNew()) {
            counted.within(change.most(), rooms.resources, moved);
        } else {
            counted.otherwise(change.before(), change.now(), rooms.resources, moved);
        }
    }
}
