package dev.muster.coordinator.core;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A node as the watcher saw it last.
 *
 * @param resourceVersion of that sight; an older one changes nothing
 * @param ready condition Ready is True
 * @param allocatable cpu in milli, everything else in whole units
 * @param seenAt the pool's tick of the last sight, by which snapshots find what is gone
 */
public record Node(
        String name,
        long resourceVersion,
        SortedMap<String, String> labels,
        List<Taint> taints,
        boolean unschedulable,
        boolean ready,
        Amounts allocatable,
        long seenAt)
        implements Row {
    public enum Effect {
        NO_SCHEDULE("NoSchedule"),
        PREFER_NO_SCHEDULE("PreferNoSchedule"),
        NO_EXECUTE("NoExecute");

        private final String label;

        Effect(String label) {
            this.label = label;
        }
    }

    public record Taint(String key, String value, Effect effect) {
        /** As kubectl writes it. */
        @Override
        public String toString() {
            return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect.label;
        }
    }

    public Node {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        taints = List.copyOf(taints);
    }

    boolean takesPods() {
        return ready && !unschedulable;
    }

    /** Which pods it takes and says why not, alike; how many is another matter. */
    boolean looksLike(Node other) {
        return ready == other.ready
                && unschedulable == other.unschedulable
                && taints.equals(other.taints)
                && labels.equals(other.labels);
    }

    Node seen(long tick) {
        return new Node(
                name, resourceVersion, labels, taints, unschedulable, ready, allocatable, tick);
    }

    @Override
    public Key key() {
        return new Key(Table.NODE, name);
    }
}
