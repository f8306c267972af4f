package dev.muster.coordinator.core.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How much of a pool the jobs of one queue may use; cpu in milli, everything else in whole units.
 *
 * @param guaranteed what it may always use, before those who borrow
 * @param limit what it never exceeds; a resource that is not named is not limited
 * @param borrowing it may use what its group leaves idle, and what nobody was guaranteed
 * @param borrowLimit the most beyond its guarantee; a resource that is not named is not limited
 * @param lendLimit the most of its guarantee that others may use; not named: all of it
 * @param group of the queues that lend to each other; null: all that name none
 */
public record Quota(
        Amounts guaranteed,
        SortedMap<String, Long> limit,
        boolean borrowing,
        SortedMap<String, Long> borrowLimit,
        SortedMap<String, Long> lendLimit,
        @Nullable String group) {
    public static final Quota NONE =
            new Quota(Amounts.NONE, new TreeMap<>(), true, new TreeMap<>(), new TreeMap<>(), null);

    public Quota {
        limit = Collections.unmodifiableSortedMap(new TreeMap<>(limit));
        borrowLimit = Collections.unmodifiableSortedMap(new TreeMap<>(borrowLimit));
        lendLimit = Collections.unmodifiableSortedMap(new TreeMap<>(lendLimit));
    }

    /** Of what it is guaranteed something, how much such use is beyond that. */
    public Amounts borrowed(Amounts used) {
        var borrowed = new TreeMap<>(used.beyond(guaranteed).byName());
        borrowed.keySet().retainAll(guaranteed.byName().keySet());
        return Amounts.of(borrowed);
    }
}
