package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Topology;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the others of a gang are that stand while more pods of it are placed.
 *
 * @param pods how many are in each domain of the gang's topology; others are in none that is known
 * @param isThere somebody stands, whether it is known where or not
 */
public record PlacedSiblings(SortedMap<String, Integer> pods, boolean isThere) {
    static final PlacedSiblings NONE = new PlacedSiblings(Collections.emptySortedMap(), false);

    private static final Comparator<Map.Entry<String, Integer>> MOST_FIRST =
            Map.Entry.<String, Integer>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey());

    public PlacedSiblings {
        pods = Collections.unmodifiableSortedMap(new TreeMap<>(pods));
    }

    /**
     * @param byNode how many are on each node
     */
    public static PlacedSiblings of(
            Topology topology, SortedMap<String, Integer> byNode, Capacity capacity) {
        var pods = new TreeMap<String, Integer>();
        byNode.forEach((name, count) -> {
            var node = capacity.node(name);
            var domain = node == null ? null : topology.domainOf(node);
            if (domain != null) {
                pods.merge(domain, count, Integer::sum);
            }
        });
        return new PlacedSiblings(pods, !byNode.isEmpty());
    }

    /** The domain where most are; null: none is known. */
    public @Nullable String home() {
        return domains().stream().findFirst().orElse(null);
    }

    /** Those where some are, where most are first. */
    List<String> domains() {
        return pods.entrySet().stream().sorted(MOST_FIRST).map(Map.Entry::getKey).toList();
    }

    int in(String domain) {
        return pods.getOrDefault(domain, 0);
    }
}
