package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Shapes of which it is known why they do not fit: another reason is to be told also when a
 * resource comes to be enough in all, or no more is. What is free in all for shapes of each filter
 * is counted up with what changes.
 */
public final class Stocks {
    /** For each filter one per node; with more of them nothing is counted. */
    private static final int BYTES = 1 << 24;

    private final Rooms rooms;
    private final Peaks peaks;
    private final Map<NodeFilter, Stocked> byFilter = new LinkedHashMap<>();

    /** All was counted at the last call. */
    private boolean areKnown;

    Stocks(Rooms rooms) {
        this.rooms = rooms;
        this.peaks = new Peaks(rooms, View.NOW);
    }

    private static NodeFilter filter(Shape shape) {
        return shape.parts().getFirst().filter();
    }

    public void add(Shape shape) {
        byFilter.computeIfAbsent(filter(shape), Stocked::new).add(shape);
    }

    public void remove(Shape shape) {
        var stocked = byFilter.get(filter(shape));
        if (stocked != null) {
            stocked.remove(shape);
            if (stocked.isEmpty()) {
                byFilter.remove(filter(shape));
            }
        }
    }

    /** How many entries are kept of all, which is the memory it takes. To be seen by tests. */
    int size() {
        return byFilter.values().stream().mapToInt(Stocked::size).sum();
    }

    /**
     * Those of which a resource has come to be enough since the last call, or no more is; all,
     * where that is not known.
     */
    public Set<Shape> passed() {
        boolean wereKnown = areKnown;
        areKnown = (long) byFilter.size() * Math.max(1024, rooms.count()) <= BYTES;
        var passed = new LinkedHashSet<Shape>();
        if (areKnown) {
            byFilter.values().forEach(Stocked::lookAtNodes);
            peaks.catchUp(change -> byFilter.values().forEach(stocked -> stocked.count(change)));
            byFilter.values().forEach(stocked -> stocked.passed(rooms, passed));
        } else {
            byFilter.values().forEach(Stocked::forget);
        }
        return wereKnown && areKnown ? passed : all();
    }

    private Set<Shape> all() {
        var all = new LinkedHashSet<Shape>();
        byFilter.values().forEach(stocked -> all.addAll(stocked.shapes()));
        return all;
    }
}
