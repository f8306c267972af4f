package dev.muster.coordinator.core.model;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which terms keep pods of one kind and those of other jobs off each other's nodes, in both
 * directions, as kube-scheduler has it.
 *
 * @param shuns their own: it shares no node with a pod that one of these selects
 * @param shunnedBy those of any job that select them
 */
public record Repulsion(Set<AntiAffinityTerm> shuns, Set<AntiAffinityTerm> shunnedBy) {
    public static final Repulsion NONE = new Repulsion(Set.of(), Set.of());

    public Repulsion {
        shuns = Collections.unmodifiableSet(new LinkedHashSet<>(shuns));
        shunnedBy = Collections.unmodifiableSet(new LinkedHashSet<>(shunnedBy));
    }

    /** Whoever else is there, they may be, too. */
    public boolean isNone() {
        return shuns.isEmpty() && shunnedBy.isEmpty();
    }
}
