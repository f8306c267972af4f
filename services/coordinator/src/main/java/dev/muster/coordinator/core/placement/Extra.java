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
 * @param avoided by role, nodes that take no pod of it
 * @param taken by group, nodes where pods are that it keeps apart from
 * @param company the others of their gang, where its topology is kept
 */
public record Extra(
        SortedMap<String, Amounts> room,
        SortedMap<String, SortedSet<String>> avoided,
        SortedMap<String, SortedSet<String>> taken,
        PlacedSiblings company) {
    public static final Extra NONE = room(Collections.emptySortedMap());

    public Extra {
        room = Collections.unmodifiableSortedMap(new TreeMap<>(room));
        avoided = Collections.unmodifiableSortedMap(new TreeMap<>(avoided));
        taken = Collections.unmodifiableSortedMap(new TreeMap<>(taken));
    }

    public static Extra room(SortedMap<String, Amounts> room) {
        var none = Collections.<String, SortedSet<String>>emptySortedMap();
        return new Extra(room, none, none, PlacedSiblings.NONE);
    }

    /** Beside those that it avoids already. */
    public Extra avoiding(String role, Collection<String> nodes) {
        return new Extra(room, more(avoided, role, nodes), taken, company);
    }

    /** Beside those that are taken already. */
    public Extra taken(String group, Collection<String> nodes) {
        return new Extra(room, avoided, more(taken, group, nodes), company);
    }

    private static SortedMap<String, SortedSet<String>> more(
            SortedMap<String, SortedSet<String>> known, String name, Collection<String> nodes) {
        var all = new TreeSet<>(known.getOrDefault(name, Collections.emptySortedSet()));
        all.addAll(nodes);
        var more = new TreeMap<>(known);
        more.put(name, Collections.unmodifiableSortedSet(all));
        return more;
    }

    public Extra beside(PlacedSiblings company) {
        return new Extra(room, avoided, taken, company);
    }

    public Extra with(SortedMap<String, Amounts> room) {
        return new Extra(room, avoided, taken, company);
    }
}
