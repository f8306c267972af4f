package dev.muster.podmanager.core;

import java.util.Map;

/**
 * Pods that are deleted without waiting for their kubelets: their nodes are dead.
 *
 * @param before by rank, those of makings before this incarnation; or {@link #ALL}
 */
public record Forced(Map<Rank, Integer> before) {
    public static final int ALL = Integer.MAX_VALUE;

    public Forced {
        before = Map.copyOf(before);
    }

    boolean has(Mark.Making making) {
        var bound = before.get(making.rank());
        return bound != null && making.incarnation() < bound;
    }
}
