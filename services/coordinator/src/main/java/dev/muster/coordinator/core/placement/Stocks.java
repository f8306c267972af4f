package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What is free in all for shapes of each filter, counted up with what changes. */
final class Stocks {
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

    void add(Shape shape) {
        byFilter.computeIfAbsent(filter(shape), Stocked::new).add(shape);
    }

    void remove(Shape shape) {
        var stocked = byFilter.get(filter(shape));
        if (stocked != null) {
            stocked.remove(shape);
            if (stocked.isEmpty()) {
                byFilter.remove(filter(shape));
            }
        }
    }

    /** How many entries there are of all. */
    int size() {
        return byFilter.values().stream().mapToInt(Stocked::size).sum();
    }

    /**
     * Finds those of which a resource has come to be enough since the last call, or no more is.
     *
     * @return false: it may be any of them
     */
    boolean passed(Set<Shape> found) {
        boolean wereKnown = areKnown;
        areKnown = (long) byFilter.size() * Math.max(1024, rooms.count()) <= BYTES;
        if (!areKnown) {
            byFilter.values().forEach(Stocked::forget);
            return false;
        }
        byFilter.values().forEach(Stocked::lookAtNodes);
        peaks.catchUp(change -> byFilter.values().forEach(stocked -> stocked.count(change)));
        byFilter.values().forEach(stocked -> stocked.passed(rooms, found));
        return wereKnown;
    }
}
