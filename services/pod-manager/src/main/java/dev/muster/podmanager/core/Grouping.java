package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.Backend;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a backend is told of a gang.
 *
 * @param queue the backend's own; empty where there is none
 * @param groups to be there before any pod
 * @param nodes labels of those among which it chooses
 * @param avoided nodes that it must not choose
 */
public record Grouping(
        Backend backend,
        String queue,
        List<Group> groups,
        Map<String, String> nodes,
        List<String> avoided) {
    public static final Grouping NONE =
            new Grouping(Backend.NONE, "", List.of(), Map.of(), List.of());

    public Grouping {
        groups = List.copyOf(groups);
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        avoided = List.copyOf(avoided);
    }

    /**
     * Pods that are bound together, or not at all.
     *
     * @param role of this one alone; null: of all
     * @param minimum how many of each role start together
     * @param resources what those need; cpu in milli, everything else in whole units
     */
    public record Group(
            @Nullable String role,
            SortedMap<String, Integer> minimum,
            SortedMap<String, Long> resources) {
        public Group {
            minimum = Collections.unmodifiableSortedMap(new TreeMap<>(minimum));
            resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
        }
    }
}
