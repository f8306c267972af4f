package dev.muster.coordinator.core.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the cluster's own quotas allow in a namespace.
 *
 * @param hard by the names of ResourceQuota, the least of several
 * @param barred names of which they allow nothing at all
 * @param othersUse what pods that are not this pool's count there, by the same names
 * @param shard that saw it last
 * @param seenAt the pool's tick of the last sight
 */
public record NamespaceQuota(
        String namespace,
        Amounts hard,
        SortedSet<String> barred,
        Amounts othersUse,
        int shard,
        long seenAt)
        implements Row {
    public NamespaceQuota {
        barred = Collections.unmodifiableSortedSet(new TreeSet<>(barred));
    }

    @Override
    public Key key() {
        return new Key(Table.NAMESPACE, namespace);
    }

    /** It leaves as much as the other. */
    public boolean allowsAs(NamespaceQuota other) {
        return hard.equals(other.hard)
                && barred.equals(other.barred)
                && othersUse.equals(other.othersUse);
    }

    /** The most of each name, those of which nothing is allowed among them. */
    public SortedMap<String, Long> most() {
        var most = new TreeMap<>(hard.byName());
        barred.forEach(name -> most.put(name, 0L));
        return most;
    }

    /** Of that name, what pods that are not this pool's leave of it. */
    public long mostOfPool(String name) {
        long most = barred.contains(name) ? 0 : hard.get(name);
        return Wide.difference(most, othersUse.get(name));
    }
}
