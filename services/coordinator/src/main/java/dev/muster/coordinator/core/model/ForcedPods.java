package dev.muster.coordinator.core.model;

import org.jspecify.annotations.Nullable;

/**
 * Pods of one rank that are deleted without their kubelets' word, for their nodes are dead.
 *
 * @param before only those of makings before this incarnation: a later one may be on a node that
 *     lives; null: all
 */
public record ForcedPods(RankId rank, @Nullable Integer before) {
    /** All of a rank. */
    public static ForcedPods of(RankId rank) {
        return new ForcedPods(rank, null);
    }
}
