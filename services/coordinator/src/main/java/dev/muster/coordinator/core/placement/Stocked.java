package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Sums;
import dev.muster.coordinator.core.placement.Peaks.Change;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Shapes of one filter by what they need in all, so that those are found of which a resource has
 * come to be enough on all nodes together, or no more is.
 */
final class Stocked {
    private final NodeFilter filter;
    private final Set<Shape> shapes = new LinkedHashSet<>();
    private final Map<String, Level> levels = new LinkedHashMap<>();

    /** Null: nothing is counted yet, or any more. */
    private @Nullable Count count;

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

    /**
     * What is free on the nodes that are accepted.
     *
     * @param counted those rooms
     */
    private record Count(Matching matching, BitSet counted, Sums free) {}

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
                if (level.byNeed.isEmpty()) {
                    levels.remove(need.name(i));
                }
            }
        }
    }

    boolean isEmpty() {
        return shapes.isEmpty();
    }

    Set<Shape> shapes() {
        return Collections.unmodifiableSet(shapes);
    }

    /** How many entries there are of all. */
    int size() {
        int needs = levels.values().stream().mapToInt(level -> level.byNeed.size()).sum();
        return shapes.size() + levels.size() + needs;
    }

    /** To be counted anew, of all rooms. */
    void forget() {
        count = null;
    }

    /** To be called before it is told of rooms that changed. */
    void lookAtNodes() {
        if (count != null) {
            count.matching().catchUp();
        }
    }

    void count(Change change) {
        if (count != null) {
            if (count.counted().get(change.room())) {
                add(change.before(), -1, count.free());
            }
            count(change.room(), change.now(), count);
        }
    }

    private static void count(int room, long[] now, Count count) {
        boolean accepted = count.matching().accepts(room);
        count.counted().set(room, accepted);
        if (accepted) {
            add(now, 1, count.free());
        }
    }

    private static void add(long[] amounts, int times, Sums to) {
        for (int i = 0; i < amounts.length; i++) {
            to.add(i, amounts[i], times);
        }
    }

    /** Finds those for which it is otherwise than at the last call. */
    void passed(Rooms rooms, Set<Shape> found) {
        var now = count == null ? counted(rooms) : count;
        count = now;
        boolean wasNone = isNone;
        isNone = now.matching().count(Matching.Grade.ACCEPTED) == 0;
        if (isNone != wasNone) {
            found.addAll(shapes);
        }
        levels.forEach(
                (name, level) -> level.passed(now.free().get(rooms.resources.find(name)), found));
    }

    private Count counted(Rooms rooms) {
        var count = new Count(new Matching(rooms, filter).catchUp(), new BitSet(), new Sums());
        for (int room = 0; room < rooms.count(); room++) {
            count(room, rooms.get(room).amounts(View.NOW), count);
        }
        return count;
    }
}
