package dev.muster.coordinator.core;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that an operator sets of a pool.
 *
 * @param nodeSelector labels that a node must have to belong to it; the watcher judges that
 */
public record PoolSpec(SortedMap<String, String> nodeSelector) {
    public PoolSpec {
        nodeSelector = Collections.unmodifiableSortedMap(new TreeMap<>(nodeSelector));
    }
}
