package dev.muster.coordinator.core.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What tells whether pods of a job and those of another may share a node, by role.
 *
 * @param labels of the role's template, beside the job's own
 * @param shuns pods of other jobs that none of the role shares a node with
 */
public record Neighbours(
        SortedMap<String, SortedMap<String, String>> labels,
        SortedMap<String, List<AntiAffinityTerm>> shuns) {
    public static final Neighbours NONE =
            new Neighbours(Collections.emptySortedMap(), Collections.emptySortedMap());

    public Neighbours {
        labels = copied(labels);
        shuns = copied(shuns);
    }

    /** A million jobs have nothing of the kind. */
    private static <T> SortedMap<String, T> copied(SortedMap<String, T> byRole) {
        return byRole.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(byRole));
    }
}
