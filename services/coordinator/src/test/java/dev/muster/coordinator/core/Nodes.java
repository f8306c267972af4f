package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.PoolSpec;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Nodes that go, or are not there yet. */
final class Nodes {
    private Nodes() {}

    /** Whoever is placed there has to tolerate it. */
    static Node tainted(String name, long cores, String key) {
        var taint = new Node.Taint(key, "", Node.Effect.NO_SCHEDULE);
        return node(name, cores, List.of(taint), true, false, Node.Notes.NONE);
    }

    /** It is short of disk: nothing new is to come. */
    static Node pressed(String name, long cores) {
        var taint = new Node.Taint("node.kubernetes.io/disk-pressure", "", Node.Effect.NO_SCHEDULE);
        return node(name, cores, List.of(taint), false, true, Node.Notes.NONE);
    }

    static Node inRack(String name, long cores, String rack) {
        var node = Fixtures.node(name, cores);
        var labels = new TreeMap<>(node.labels());
        labels.put("rack", rack);
        return new Node(
                name,
                node.resourceVersion(),
                labels,
                List.of(),
                false,
                true,
                node.allocatable(),
                0,
                Node.Notes.NONE);
    }

    static Node labelled(Node node, SortedMap<String, String> labels) {
        return looking(node, labels, node.taints());
    }

    /** The same node with these labels and taints. */
    static Node looking(Node node, SortedMap<String, String> labels, List<Node.Taint> taints) {
        return new Node(
                node.name(),
                node.resourceVersion(),
                labels,
                taints,
                node.unschedulable(),
                node.ready(),
                node.allocatable(),
                node.seenAt(),
                node.notes());
    }

    /** Which says something by an annotation. */
    static Node annotated(String name, long cores, String key) {
        var notes = new Node.Notes(new TreeSet<>(), new TreeSet<>(List.of(key)), false);
        return node(name, cores, List.of(), false, true, notes);
    }

    static Node cordoned(String name, long cores) {
        return node(name, cores, List.of(), true, true, Node.Notes.NONE);
    }

    private static Node node(
            String name,
            long cores,
            List<Node.Taint> taints,
            boolean unschedulable,
            boolean ready,
            Node.Notes notes) {
        var node = Fixtures.node(name, cores);
        return new Node(
                name,
                node.resourceVersion(),
                node.labels(),
                taints,
                unschedulable,
                ready,
                node.allocatable(),
                0,
                notes);
    }

    /** A plain pool that remembers failures of nodes so. */
    static PoolSpec remembering(PoolSpec.NodeHealth health, PoolSpec.Backing backing) {
        var plain = PoolSpec.PLAIN;
        return new PoolSpec(
                plain.nodeSelector(),
                plain.policy(),
                plain.preemption(),
                plain.priorities(),
                plain.spot(),
                backing,
                plain.notices(),
                health);
    }

    /** A plain pool that takes these for notices. */
    static PoolSpec noticing(PoolSpec.Notices notices) {
        var plain = PoolSpec.PLAIN;
        return new PoolSpec(
                plain.nodeSelector(),
                plain.policy(),
                plain.preemption(),
                plain.priorities(),
                plain.spot(),
                plain.backing(),
                notices,
                plain.nodeHealth());
    }
}
