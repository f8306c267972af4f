package dev.muster.bench.decider;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.PoolSpec.Priorities;
import dev.muster.coordinator.core.model.Quota;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** What else the rules have to mind in a full pool. */
public enum Variant {
    /** Nothing: priorities stay, queues are guaranteed nothing, nobody holds room. */
    PLAIN,

    /** Jobs of several priorities wait in each queue, and waiting adds to them. */
    AGING,

    /** Each queue is guaranteed half of its even share of the pool. */
    GUARANTEES,

    /** A gang of two roles holds room that does not come free. */
    HOLDER,

    /** The jobs of each queue are in a namespace of their own, which has a quota. */
    QUOTAS;

    /** As many events as come in a minute at 1,000 a second. */
    private static final Duration AGING_STEP = FullPool.BETWEEN_EVENTS.multipliedBy(60_000);

    private static final int PRIORITIES = 4;

    Priorities priorities() {
        return this == AGING
                ? new Priorities(new TreeMap<>(), AGING_STEP, Priorities.PLAIN.agingMost())
                : Priorities.PLAIN;
    }

    /** How long the first job of a queue waits before it may hold. */
    Duration reserveAfter() {
        return this == HOLDER ? FullPool.BETWEEN_EVENTS : Duration.ofMinutes(5);
    }

    /**
     * @param nodes of the pool
     * @param queues of the pool
     */
    Quota quota(int nodes, int queues) {
        long half = 1000L * nodes * (Contents.PODS_PER_NODE / 2) / queues;
        return this == GUARANTEES
                ? new Quota(
                        Amounts.of(Map.of("cpu", half)),
                        new TreeMap<>(),
                        true,
                        new TreeMap<>(),
                        new TreeMap<>(),
                        null)
                : Quota.NONE;
    }

    /** Where the jobs of a queue are. */
    String namespace(int queue) {
        return this == QUOTAS ? "team-" + queue : "ml";
    }

    /** Of the n-th job of its queue. */
    int priority(int n) {
        return this == AGING ? n % PRIORITIES : 0;
    }
}
