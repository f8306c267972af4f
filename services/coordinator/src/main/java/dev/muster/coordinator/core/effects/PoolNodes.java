package dev.muster.coordinator.core.effects;

import dev.muster.coordinator.core.model.Amounts;

/**
 * The nodes of a pool in sum.
 *
 * @param known how many there are
 * @param ready how many of them take pods and are heard of; of these alone is the rest
 * @param allocatable what Kubernetes gives to pods
 * @param free what neither jobs nor others use of that, and nothing is kept of
 */
public record PoolNodes(int known, int ready, Amounts allocatable, Amounts free) {
    public static final PoolNodes NONE = new PoolNodes(0, 0, Amounts.NONE, Amounts.NONE);
}
