package dev.muster.coordinator.core.queue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** How many lines of each queue have something in common, by what that is. */
final class LineCounts<T> {
    private final Map<T, Map<String, Integer>> counts = new LinkedHashMap<>();

    void add(T common, String queue) {
        counts.computeIfAbsent(common, _ -> new LinkedHashMap<>()).merge(queue, 1, Integer::sum);
    }

    void remove(T common, String queue) {
        counts.computeIfPresent(
                common,
                (_, of) -> {
                    of.computeIfPresent(queue, (_, lines) -> lines == 1 ? null : lines - 1);
                    return of.isEmpty() ? null : of;
                });
    }

    /** Those with such a line. */
    Set<String> queues(T common) {
        var of = counts.get(common);
        return of == null ? Set.of() : Collections.unmodifiableSet(of.keySet());
    }
}
