package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Fit.Placement;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.model.Topology.Policy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Judges whether a gang lies in one domain, as {@code prefer} and {@code pack} wish it. */
record OneDomain(Topology topology, Map<String, Node> nodes) {
    boolean has(List<Placement> pods) {
        var domains = new HashSet<@Nullable String>();
        pods.forEach(pod -> domains.add(topology.domainOf(nodes.get(pod.node()))));
        return domains.size() == 1 && !domains.contains(null);
    }

    /** It is wished, and the other placement is not so; null: there is no other. */
    boolean isBetter(List<Placement> pods, @Nullable List<Placement> than) {
        boolean isWished = topology.policy() == Policy.PREFER || topology.policy() == Policy.PACK;
        return than == null || isWished && has(pods) && !has(than);
    }
}
