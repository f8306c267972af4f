package dev.muster.coordinator.core;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one question may count on besides what is free, and where its pods may not go.
 *
 * @param room more room, by node: what is kept for who asks, or what others would leave
 * @param avoided by role, nodes that take no pod of it: one of it is there, or failed there
 * @param company the others of their gang, where its topology is kept
 */
record Extra(
        SortedMap<String, Amounts> room,
        SortedMap<String, SortedSet<String>> avoided,
        Company company) {
    static final Extra NONE = room(Collections.emptySortedMap());

    Extra {
        room = Collections.unmodifiableSortedMap(new TreeMap<>(room));
        avoided = Collections.unmodifiableSortedMap(new TreeMap<>(avoided));
    }

    static Extra room(SortedMap<String, Amounts> room) {
        return new Extra(room, Collections.emptySortedMap(), Company.NONE);
    }

    /** Beside those that it avoids already. */
    Extra avoiding(String role, Collection<String> nodes) {
        var all = new TreeSet<>(avoided.getOrDefault(role, Collections.emptySortedSet()));
        all.addAll(nodes);
        var more = new TreeMap<>(avoided);
        more.put(role, Collections.unmodifiableSortedSet(all));
        return new Extra(room, more, company);
    }

    Extra beside(Company company) {
        return new Extra(room, avoided, company);
    }

    Extra with(SortedMap<String, Amounts> room) {
        return new Extra(room, avoided, company);
    }
}
