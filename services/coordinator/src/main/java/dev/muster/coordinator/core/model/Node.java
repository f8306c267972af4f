package dev.muster.coordinator.core.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A node as the watcher saw it last.
 *
 * @param resourceVersion of that sight; an older one changes nothing
 * @param ready condition Ready is True
 * @param allocatable cpu in milli, everything else in whole units
 * @param seenAt the pool's tick of the last sight, by which snapshots find what is gone
 * @param notes what else is written on it
 * @param trust how far the pool relies on it, after what failed there
 * @param silent it has ceased to renew its lease, which is known long before it is not ready
 */
public record Node(
        String name,
        long resourceVersion,
        SortedMap<String, String> labels,
        List<Taint> taints,
        boolean unschedulable,
        boolean ready,
        Amounts allocatable,
        long seenAt,
        Notes notes,
        Trust trust,
        boolean silent)
        implements Row {
    /** Nothing is held against it. */
    public Node(
            String name,
            long resourceVersion,
            SortedMap<String, String> labels,
            List<Taint> taints,
            boolean unschedulable,
            boolean ready,
            Amounts allocatable,
            long seenAt,
            Notes notes) {
        this(
                name,
                resourceVersion,
                labels,
                taints,
                unschedulable,
                ready,
                allocatable,
                seenAt,
                notes,
                Trust.TRUSTED,
                false);
    }

    /** With nothing else written on it. */
    public Node(
            String name,
            long resourceVersion,
            SortedMap<String, String> labels,
            List<Taint> taints,
            boolean unschedulable,
            boolean ready,
            Amounts allocatable,
            long seenAt) {
        this(
                name,
                resourceVersion,
                labels,
                taints,
                unschedulable,
                ready,
                allocatable,
                seenAt,
                Notes.NONE);
    }

    /**
     * By what clouds may announce the end of a node without a taint.
     *
     * @param conditions types of those that are True
     * @param annotations keys of those that it has
     * @param announced one of them is a notice, by the pool's settings: it takes no more pods
     */
    public record Notes(
            SortedSet<String> conditions, SortedSet<String> annotations, boolean announced) {
        public static final Notes NONE = new Notes(new TreeSet<>(), new TreeSet<>(), false);

        public Notes {
            conditions = Collections.unmodifiableSortedSet(new TreeSet<>(conditions));
            annotations = Collections.unmodifiableSortedSet(new TreeSet<>(annotations));
        }
    }

    /** Less and less. */
    public enum Trust {
        TRUSTED,
        /** It is chosen last. */
        SUSPECT,
        /** It is not chosen. */
        EXCLUDED
    }

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

    public boolean takesPods() {
        return ready && !unschedulable && !notes.announced() && trust != Trust.EXCLUDED;
    }

    /** Which pods it takes and says why not, alike; how many is another matter. */
    public boolean looksLike(Node other) {
        return ready == other.ready
                && unschedulable == other.unschedulable
                && notes.announced() == other.notes.announced()
                && (trust == Trust.EXCLUDED) == (other.trust == Trust.EXCLUDED)
                && taints.equals(other.taints)
                && labels.equals(other.labels);
    }

    public Node seen(long tick) {
        return with(tick, notes, trust, silent);
    }

    /** Whether its notes say that it is about to go. */
    public Node announced(boolean announced) {
        var noted = new Notes(notes.conditions(), notes.annotations(), announced);
        return with(seenAt, noted, trust, silent);
    }

    public Node trusted(Trust trust) {
        return with(seenAt, notes, trust, silent);
    }

    /** It is ready and renews its lease. */
    public boolean isHeardOf() {
        return ready && !silent;
    }

    public Node silent(boolean silent) {
        return with(seenAt, notes, trust, silent);
    }

    private Node with(long seenAt, Notes notes, Trust trust, boolean silent) {
        return new Node(
                name,
                resourceVersion,
                labels,
                taints,
                unschedulable,
                ready,
                allocatable,
                seenAt,
                notes,
                trust,
                silent);
    }

    @Override
    public Key key() {
        return new Key(Table.NODE, name);
    }
}
