package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Shapes of one filter by what they need in all, so that those are found of which a resource has
 * come to be enough on all nodes together, or no more is.
 */
final class Stocked {
    private final NodeFilter filter;
    private final Set<Shape> shapes = new LinkedHashSet<>();
    private final Map<String, Level> levels = new LinkedHashMap<>();

    /** No node is accepted. */
    private boolean isNone;

    /** Of one resource. */
    private static final class Level {
        private final TreeMap<Long, Set<Shape>> byNeed = new TreeMap<>();
        private long free;

        void add(Shape shape, long need) {
            byNeed.computeIfAbsent(need, _ -> new LinkedHashSet<>()).add(shape);
        }

        void remove(Shape shape, long need) {
            var of = byNeed.get(need);
            if (of != null && of.remove(shape) && of.isEmpty()) {
                byNeed.remove(need);
            }
        }

        void passed(long now, Set<Shape> found) {
            long low = Math.min(free, now);
            long high = Math.max(free, now);
            byNeed.subMap(low, false, high, true).values().forEach(found::addAll);
            free = now;
        }
    }

    Stocked(NodeFilter filter) {
        this.filter = filter;
    }

    void add(Shape shape) {
        shapes.add(shape);
        var need = shape.total();
        for (int i = 0; i < need.size(); i++) {
            levels.computeIfAbsent(need.name(i), _ -> new Level()).add(shape, need.amount(i));
        }
    }

    void remove(Shape shape) {
        shapes.remove(shape);
        var need = shape.total();
        for (int i = 0; i < need.size(); i++) {
            var level = levels.get(need.name(i));
            if (level != null) {
                level.remove(shape, need.amount(i));
            }
        }
    }

    boolean isEmpty() {
        return shapes.isEmpty();
    }

    /** Finds those for which it is otherwise than at the last call. */
    void passed(Rooms rooms, Kinds kinds, Set<Shape> found) {
        boolean wasNone = isNone;
        isNone = kinds.matching(filter).count(Matching.Grade.ACCEPTED) == 0;
        if (isNone != wasNone) {
            found.addAll(shapes);
        }
        var stock = kinds.stock(filter);
        levels.forEach(
                (name, level) -> level.passed(stock.free(rooms.resources.find(name)), found));
    }
}
