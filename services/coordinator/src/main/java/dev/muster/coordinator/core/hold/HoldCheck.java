package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.state.Tables;
import java.util.LinkedHashSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is held for the pool's holder, and whether it still is of use to it. */
final class HoldCheck {
    private final Tables tables;

    HoldCheck(Tables tables) {
        this.tables = tables;
    }

    /** What is held is still on the nodes, less what others have come to use, and of use to it. */
    boolean areThere(Job holder) {
        var shape = tables.makeup(holder).start();
        var parts = new TreeMap<String, Shape.Part>();
        shape.parts().forEach(part -> parts.put(part.name(), part));
        var domains = new LinkedHashSet<@Nullable String>();
        for (var room : tables.held.all()) {
            var node = tables.capacity.node(room.node());
            if (node == null || !isThere(room, node, parts)) {
                return false;
            }
            domains.add(shape.topology().domainOf(node));
        }
        return shape.topology().policy() != Topology.Policy.REQUIRE
                || domains.size() == 1 && !domains.contains(null);
    }

    private boolean isThere(Hold.Room room, Node node, TreeMap<String, Shape.Part> parts) {
        return node.takesPods()
                && !room.parts().isEmpty() // An older coordinator did not say.
                && room.parts().stream().allMatch(name -> accepts(parts.get(name), node))
                && room.amounts().timesIn(tables.capacity.leftByOthers(node)) > 0;
    }

    private static boolean accepts(Shape.@Nullable Part part, Node node) {
        return part != null && part.filter().accepts(node);
    }
}
