package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.NodeSeen;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.PodSpec;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.model.Topology.Policy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Nodes in zones, and jobs that lie in them in some way. */
public final class Zones {
    static final String ZONE = "zone";

    private Zones() {}

    static Event node(String name, String zone, long cores) {
        return node(name, zone, cores, false, true);
    }

    static Event cordoned(String name, String zone, long cores) {
        return node(name, zone, cores, true, true);
    }

    static Event silent(String name, String zone, long cores) {
        return node(name, zone, cores, false, false);
    }

    private static Event node(
            String name, String zone, long cores, boolean cordoned, boolean ready) {
        var amounts = Amounts.of(Map.of("cpu", cores * 1000, "pods", 110L));
        var labels = new TreeMap<>(Map.of(ZONE, zone));
        return new NodeSeen(
                Fixtures.WATCHER,
                new Node(name, 1, labels, List.of(), cordoned, ready, amounts, 0));
    }

    static JobSpec lying(Policy policy, @Nullable String key, JobSpec spec) {
        return Fixtures.lying(new Topology(policy, key), spec);
    }

    static JobSpec together(JobSpec spec) {
        return lying(Policy.REQUIRE, ZONE, spec);
    }

    /** The same role, no two pods of which are on one node. */
    public static JobSpec.Role apart(JobSpec.Role role) {
        var pod = role.pod();
        return role.with(
                new PodSpec(
                        pod.demand(),
                        pod.limits(),
                        pod.filter(),
                        true,
                        pod.restart(),
                        pod.onHost(),
                        pod.memory(),
                        pod.grace(),
                        pod.apartFrom()));
    }
}
