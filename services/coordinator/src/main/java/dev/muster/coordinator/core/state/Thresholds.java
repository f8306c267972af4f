package dev.muster.coordinator.core.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * At which levels of something queues are to be looked at again: those that a level passes are
 * found without a look at the others.
 *
 * @param <T> what has a level
 */
final class Thresholds<T> {
    private final Map<T, TreeMap<Long, SortedSet<String>>> from = new LinkedHashMap<>();
    private final Map<T, TreeMap<Long, SortedSet<String>>> below = new LinkedHashMap<>();
    private final Map<String, List<Threshold<T>>> ofQueues = new LinkedHashMap<>();

    private record Threshold<T>(T of, @Nullable Long from, @Nullable Long below) {}

    /**
     * A queue is to be found, once, when the level comes to the one, or falls below the other.
     *
     * @param from null: however high it is
     * @param below null: however low
     */
    void set(String queue, T of, @Nullable Long from, @Nullable Long below) {
        if (from != null) {
            add(this.from, of, from, queue);
        }
        if (below != null) {
            add(this.below, of, below, queue);
        }
        ofQueues.computeIfAbsent(queue, _ -> new ArrayList<>())
                .add(new Threshold<>(of, from, below));
    }

    /** It is not to be found any more. */
    void forget(String queue) {
        var all = ofQueues.remove(queue);
        if (all == null) {
            return;
        }
        for (var one : all) {
            if (one.from() != null) {
                remove(from, one.of(), one.from(), queue);
            }
            if (one.below() != null) {
                remove(below, one.of(), one.below(), queue);
            }
        }
    }

    void clear() {
        from.clear();
        below.clear();
        ofQueues.clear();
    }

    /** Those that a level has passed; from now on they are not found, whatever has a level. */
    SortedSet<String> passed(T of, long level) {
        var passed = new TreeSet<String>();
        var risen = from.get(of);
        if (risen != null) {
            risen.headMap(level, true).values().forEach(passed::addAll);
        }
        var fallen = below.get(of);
        if (fallen != null) {
            fallen.tailMap(level, false).values().forEach(passed::addAll);
        }
        passed.forEach(this::forget);
        return passed;
    }

    private static <T> void add(
            Map<T, TreeMap<Long, SortedSet<String>>> all, T of, long level, String queue) {
        all.computeIfAbsent(of, _ -> new TreeMap<>())
                .computeIfAbsent(level, _ -> new TreeSet<>())
                .add(queue);
    }

    private static <T> void remove(
            Map<T, TreeMap<Long, SortedSet<String>>> all, T of, long level, String queue) {
        all.computeIfPresent(
                of,
                (_, levels) -> {
                    SortedMap<Long, SortedSet<String>> sets = levels;
                    sets.computeIfPresent(
                            level, (_, set) -> set.remove(queue) && set.isEmpty() ? null : set);
                    return levels.isEmpty() ? null : levels;
                });
    }
}
