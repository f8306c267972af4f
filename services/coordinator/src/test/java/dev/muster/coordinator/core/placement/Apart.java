package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.fixtures.AnotherPod;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankRange;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Separation;
import dev.muster.coordinator.core.model.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Roles and groups of pods that keep apart. */
public final class Apart {
    private Apart() {}

    /** The same role, none of which is on a node with one of these. */
    public static JobSpec.Role from(JobSpec.Role role, RankRange... others) {
        return AnotherPod.of(role, pod -> pod.apartFrom = List.of(others));
    }

    public static RankRange all(String role) {
        return new RankRange(role, 0, RankRange.OPEN);
    }

    /** Pods of one role: if apart, a node takes at most one of it. */
    public static Shape.Part part(
            String role, int first, int pods, Amounts demand, NodeFilter filter, boolean apart) {
        var from = new TreeSet<>(apart ? Set.of(role) : Set.<String>of());
        var group = new Separation.Group(role, from);
        return new Shape.Part(role, first, pods, demand, filter, group, false, Repulsion.NONE);
    }

    /** One of each of two roles, by role, as may be that of any gang. */
    public static Map<String, Separation.Group> groups(Random random) {
        var apart = new TreeMap<String, TreeSet<String>>();
        var roles = List.of("ps", "worker");
        for (var role : roles) {
            apart.put(role, new TreeSet<>(random.nextInt(3) == 0 ? List.of(role) : List.of()));
        }
        if (random.nextInt(3) == 0) {
            apart.get("ps").add("worker");
            apart.get("worker").add("ps");
        }
        var groups = new TreeMap<String, Separation.Group>();
        apart.forEach((role, others) -> groups.put(role, new Separation.Group(role, others)));
        return groups;
    }

    /** Whether one of two ranks may not be beside the other, by what their roles ask for. */
    public static boolean areApart(JobSpec spec, RankId one, RankId other) {
        return shuns(spec, one, other) || shuns(spec, other, one);
    }

    private static boolean shuns(JobSpec spec, RankId one, RankId other) {
        var pod = spec.role(one.role()).pod();
        var ranges = new ArrayList<>(pod.apartFrom());
        if (pod.apart()) {
            ranges.add(all(one.role()));
        }
        return ranges.stream()
                .anyMatch(range ->
                        range.role().equals(other.role())
                                && range.first() <= other.index()
                                && other.index() < range.end());
    }
}
