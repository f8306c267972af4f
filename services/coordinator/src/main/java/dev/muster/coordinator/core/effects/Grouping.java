package dev.muster.coordinator.core.effects;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.PoolSpec;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who binds the pods of a plan.
 *
 * @param queue the backend's own; empty where there is none
 * @param groups to be there before any pod
 * @param nodes labels of those among which it chooses
 * @param avoided nodes that it must not choose
 */
public record Grouping(
        PoolSpec.Backend backend,
        String queue,
        List<PodGroup> groups,
        SortedMap<String, String> nodes,
        SortedSet<String> avoided) {
    /** The pool itself: every pod has its node. */
    public static final Grouping NONE =
            new Grouping(PoolSpec.Backend.NONE, "", List.of(), new TreeMap<>(), new TreeSet<>());

    public Grouping {
        groups = List.copyOf(groups);
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        avoided = Collections.unmodifiableSortedSet(new TreeSet<>(avoided));
    }

    /**
     * Pods that are bound together, or not at all.
     *
     * @param role of this one alone; null: of all
     * @param minimum how many of each role start together
     * @param least what those need
     */
    public record PodGroup(
            @Nullable String role, SortedMap<String, Integer> minimum, Amounts least) {
        public PodGroup {
            minimum = Collections.unmodifiableSortedMap(new TreeMap<>(minimum));
        }
    }
}
