package dev.muster.schemas.demand;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a pod says that it needs, all that {@link Demand} is counted from.
 *
 * @param inits in the order in which they run
 * @param whole what is said for the pod rather than for one of its containers
 */
public record PodResources(
        List<Resources> containers,
        List<Init> inits,
        Resources whole,
        Map<String, Quantity> overhead) {

    public PodResources {
        containers = List.copyOf(containers);
        inits = List.copyOf(inits);
        overhead = Collections.unmodifiableSortedMap(new TreeMap<>(overhead));
    }

    /**
     * An init container.
     *
     * @param restartable it goes on beside the containers, as a sidecar
     */
    public record Init(Resources resources, boolean restartable) {}
}
