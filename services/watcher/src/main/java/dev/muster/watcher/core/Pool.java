package dev.muster.watcher.core;

import java.util.Map;

/**
 * A pool, as far as its nodes and its inbox go.
 *
 * @param number its partition of the inbox
 * @param nodeSelector labels that a node must have; empty: every node whose labels no pool names
 * @param hasGroups its pods are bound in groups by Volcano, which says why not
 * @param recreates its containers are started again by OpenKruise, which says when it gives up
 */
public record Pool(
        String name,
        int number,
        Map<String, String> nodeSelector,
        boolean hasGroups,
        boolean recreates) {
    public Pool {
        nodeSelector = Map.copyOf(nodeSelector);
    }

    boolean hasInboxOf(Pool other) {
        return name.equals(other.name) && number == other.number;
    }

    /** It names no labels. */
    boolean takesTheRest() {
        return nodeSelector.isEmpty();
    }

    boolean matches(NodeReport node) {
        return node.labels().entrySet().containsAll(nodeSelector.entrySet());
    }
}
