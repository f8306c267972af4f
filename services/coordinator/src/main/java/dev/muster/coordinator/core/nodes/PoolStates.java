package dev.muster.coordinator.core.nodes;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.PoolNodes;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.Named;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.placement.Capacity;
import dev.muster.coordinator.core.state.Tables;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** What is published of the pool. */
public final class PoolStates {
    /** So many suspect nodes are named, those that most is held against. */
    public static final int NAMED = 100;

    private PoolStates() {}

    /** Something of it has changed: once that has gathered, all is published. */
    public static void tell(Tables tables) {
        var at = tables.now().plus(SuspectNodes.GATHER_WITHIN);
        tables.wakings.notLater(Alarm.Kind.POOL, Named.POOL, at);
    }

    /** The same of a node that is another now than before; null: it comes. */
    public static void tellOf(Tables tables, @Nullable Node before, Node now) {
        if (before == null
                || isReady(before) != isReady(now)
                || !before.allocatable().equals(now.allocatable())) {
            tell(tables);
        }
    }

    private static boolean isReady(Node node) {
        return node.takesPods() && node.isHeardOf();
    }

    /**
     * @param name the pool's
     */
    public static Effect.PoolState of(Tables tables, String name) {
        var spec = tables.settings().spec();
        var halfLife = spec.nodeHealth().halfLife();
        var suspects =
                tables.suspicions.values().stream()
                        .sorted(
                                Comparator.comparing(Suspicion::trust, Comparator.reverseOrder())
                                        .thenComparing(s -> -s.weight(tables.now(), halfLife))
                                        .thenComparing(Suspicion::node))
                        .limit(NAMED)
                        .toList();
        int count = tables.suspicions.size();
        boolean recreates = tables.settings().recreates();
        return new Effect.PoolState(name, spec, suspects, count, recreates, nodes(tables.capacity));
    }

    private static PoolNodes nodes(Capacity capacity) {
        var all = capacity.nodes();
        int ready = 0;
        var allocatable = Amounts.NONE;
        var free = Amounts.NONE;
        for (var node : all) {
            if (isReady(node)) {
                ready++;
                allocatable = allocatable.plus(node.allocatable());
                free = free.plus(capacity.free(node).beyond(Amounts.NONE));
            }
        }
        return new PoolNodes(all.size(), ready, allocatable, free);
    }
}
