package dev.muster.coordinator.core;

import java.util.Comparator;

/** What is published of the pool. */
final class PoolStates {
    /** So many suspect nodes are named, those that most is held against. */
    static final int NAMED = 100;

    private PoolStates() {}

    /** Something of it has changed: once that has gathered, all is published. */
    static void tell(Tables tables) {
        tables.alarmOnce(Alarm.Kind.POOL, "", tables.now().plus(SuspectNodes.GATHER));
    }

    /**
     * @param name the pool's
     */
    static Effect.PoolState of(Tables tables, String name) {
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
