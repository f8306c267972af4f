package dev.muster.coordinator.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Fit.Placement;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Topology.Policy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges placements of small gangs by trying every node for every pod, one after the other.
 *
 * @param rooms what is free, by node
 * @param taken by group, nodes where pods are that it keeps apart from
 */
public record AllPlacements(
        List<Node> nodes,
        Map<String, Amounts> rooms,
        Shape shape,
        Map<String, SortedSet<String>> taken) {
    private record Pod(Shape.Part part, int index) {}

    private List<Pod> pods() {
        var pods = new ArrayList<Pod>();
        for (var part : shape.parts()) {
            for (int i = 0; i < part.pods(); i++) {
                pods.add(new Pod(part, part.first() + i));
            }
        }
        return pods;
    }

    public boolean isAny() {
        return isAny(pods(), new ArrayList<>());
    }

    private boolean isAny(List<Pod> pods, List<Node> chosen) {
        if (!isRight(pods, chosen)) {
            return false;
        }
        if (chosen.size() == pods.size()) {
            return true;
        }
        int at = chosen.size();
        boolean isAsBefore = at > 0 && pods.get(at).part() == pods.get(at - 1).part();
        // Pods that are alike change places for nothing.
        int from = isAsBefore ? nodes.indexOf(chosen.getLast()) : 0;
        for (var node : nodes.subList(from, nodes.size())) {
            chosen.add(node);
            if (isAny(pods, chosen)) {
                return true;
            }
            chosen.removeLast();
        }
        return false;
    }

    /** Of those that have a node, each may be there, and all of them together. */
    private boolean isRight(List<Pod> pods, List<Node> chosen) {
        var left = new TreeMap<>(rooms);
        var domains = new ArrayList<String>();
        for (int i = 0; i < chosen.size(); i++) {
            var node = chosen.get(i);
            var part = pods.get(i).part();
            left.merge(node.name(), part.demand(), Amounts::minus);
            if (taken.getOrDefault(part.group().name(), Collections.emptySortedSet())
                            .contains(node.name())
                    || !node.takesPods()
                    || !part.filter().accepts(node)
                    || part.demand().timesIn(left.get(node.name()).plus(part.demand())) == 0) {
                return false;
            }
            for (int other = 0; other < i; other++) {
                var its = pods.get(other).part().group();
                if (part.group().apart().contains(its.name()) && chosen.get(other).equals(node)) {
                    return false;
                }
            }
            domains.add(shape.topology().domainOf(node));
        }
        return shape.topology().policy() != Policy.REQUIRE
                || domains.stream().allMatch(Objects::nonNull)
                        && domains.stream().distinct().count() <= 1;
    }

    public void isOneOfThem(List<Placement> placements) {
        var pods = pods();
        assertThat(placements.stream().map(Placement::rank))
                .isEqualTo(
                        pods.stream()
                                .map(pod -> new RankId(pod.part().role(), pod.index()))
                                .toList());
        var byName = new TreeMap<String, Node>();
        nodes.forEach(node -> byName.put(node.name(), node));
        assertThat(new TreeSet<>(byName.keySet()))
                .containsAll(placements.stream().map(Placement::node).toList());
        var chosen = placements.stream().map(placement -> byName.get(placement.node())).toList();
        assertThat(isRight(pods, chosen)).as(placements.toString()).isTrue();
    }
}
