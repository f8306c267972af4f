package dev.muster.coordinator.core;

import java.util.List;
import java.util.TreeSet;

/** Nodes that go, or are not there yet. */
final class Nodes {
    private Nodes() {}

    /** Whoever is placed there has to tolerate it. */
    static Node tainted(String name, long cores, String key) {
        var node = Fixtures.node(name, cores);
        return new Node(
                name,
                node.resourceVersion(),
                node.labels(),
                List.of(new Node.Taint(key, "", Node.Effect.NO_SCHEDULE)),
                true,
                false,
                node.allocatable(),
                0);
    }

    /** Which says something by an annotation. */
    static Node annotated(String name, long cores, String key) {
        var node = Fixtures.node(name, cores);
        return new Node(
                name,
                node.resourceVersion(),
                node.labels(),
                List.of(),
                false,
                true,
                node.allocatable(),
                0,
                new Node.Notes(new TreeSet<>(), new TreeSet<>(List.of(key)), false));
    }

    static Node cordoned(String name, long cores) {
        var node = Fixtures.node(name, cores);
        return new Node(
                name,
                node.resourceVersion(),
                node.labels(),
                List.of(),
                true,
                true,
                node.allocatable(),
                0);
    }
}
