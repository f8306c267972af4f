package dev.muster.coordinator.core;

import java.util.List;

/** Nodes that go. */
final class Nodes {
    private Nodes() {}

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
