package dev.muster.coordinator.core.nodes;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.Named;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.state.Tables;
import java.util.Comparator;

/** What is published of the pool. */
public final class PoolStates {
    /** So many suspect nodes are named, those that most is held against. */
    public static final int NAMED = 100;

    private PoolStates() {}

    /** Something of it has changed: once that has gathered, all is published. */
    public static void tell(Tables tables) {
        tables.wakings.once(
                Alarm.Kind.POOL, Named.POOL, tables.now().plus(SuspectNodes.GATHER_WITHIN));
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
        return new Effect.PoolState(name, spec, suspects, count, tables.settings().recreates());
    }
}
