package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
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
public record Extra(
        SortedMap<String, Amounts> room,
        SortedMap<String, SortedSet<String>> avoided,
        Company company) {
    public static final Extra NONE = room(Collections.emptySortedMap());

    public Extra {
        room = Collections.unmodifiableSortedMap(new TreeMap<>(room));
        avoided = Collections.unmodifiableSortedMap(new TreeMap<>(avoided));
    }

    public static Extra room(SortedMap<String, Amounts> room) {
        return new Extra(room, Collections.emptySortedMap(), Company.NONE);
    }

    /** Beside those that it avoids already. */
    public Extra avoiding(String role, Collection<String> nodes) {
        var all = new TreeSet<>(avoided.getOrDefault(role, Collections.emptySortedSet()));
        all.addAll(nodes);
        var more = new TreeMap<>(avoided);
        more.put(role, Collections.unmodifiableSortedSet(all));
        return new Extra(room, more, company);
    }

    public Extra beside(Company company) {
        return new Extra(room, avoided, company);
    }

    public Extra with(SortedMap<String, Amounts> room) {
        return new Extra(room, avoided, company);
    }
}
