package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter.Toleration;
import dev.muster.coordinator.core.model.PoolSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Spot nodes, which take nothing but spot pods, and roles that have such. */
public final class SpotPods {
    /** Where spot pods may go, and nowhere else. */
    public static final PoolSpec.Spot SPOT =
            new PoolSpec.Spot(
                    new TreeMap<>(Map.of("pool", "spot")),
                    List.of(new Toleration("pool", false, "spot", null)));

    private SpotPods() {}

    /** The same role, of whose pods so many may be spot pods. */
    public static JobSpec.Role spot(int spot, JobSpec.Role role) {
        return new JobSpec.Role(
                role.name(),
                role.replicas(),
                role.min(),
                spot,
                role.pod(),
                role.dependsOn(),
                role.care(),
                role.world());
    }

    /** A node for spot pods alone. */
    public static Node node(String name, long cores) {
        return onSpot(Fixtures.node(name, cores));
    }

    static Node onSpot(Node node) {
        var labels = new TreeMap<>(node.labels());
        labels.put("pool", "spot");
        var taint = new Node.Taint("pool", "spot", Node.Effect.NO_SCHEDULE);
        return Nodes.looking(node, labels, List.of(taint));
    }

    /** The same pool, with such nodes. */
    static PoolSpec pool(PoolSpec spec) {
        return new PoolSpec(
                spec.nodeSelector(),
                spec.policy(),
                spec.preemption(),
                spec.priorities(),
                SPOT,
                spec.backing(),
                spec.notices(),
                spec.nodeHealth());
    }
}
