package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Shape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
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
 * @param gone by node, jobs whose pods there are not in the way
 * @param seekers gangs to whom all nodes are left that would take a pod of theirs if none of our
 *     jobs ran
 */
public record Extra(
        SortedMap<String, Amounts> room,
        SortedMap<String, SortedSet<String>> avoided,
        SortedMap<String, SortedSet<String>> taken,
        PlacedSiblings company,
        SortedMap<String, SortedSet<JobId>> gone,
        List<Shape> seekers) {
    public static final Extra NONE = room(Collections.emptySortedMap());

    public Extra {
        room = Collections.unmodifiableSortedMap(new TreeMap<>(room));
        avoided = Collections.unmodifiableSortedMap(new TreeMap<>(avoided));
        taken = Collections.unmodifiableSortedMap(new TreeMap<>(taken));
        gone = Collections.unmodifiableSortedMap(new TreeMap<>(gone));
        seekers = List.copyOf(seekers);
    }

    public static Extra room(SortedMap<String, Amounts> room) {
        var none = Collections.<String, SortedSet<String>>emptySortedMap();
        var nobody = Collections.<String, SortedSet<JobId>>emptySortedMap();
        return new Extra(room, none, none, PlacedSiblings.NONE, nobody, List.of());
    }

    /** Beside those that it avoids already. */
    public Extra avoiding(String role, Collection<String> nodes) {
        return new Extra(room, more(avoided, role, nodes), taken, company, gone, seekers);
    }

    /** Beside those that are taken already. */
    public Extra taken(String group, Collection<String> nodes) {
        return new Extra(room, avoided, more(taken, group, nodes), company, gone, seekers);
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
        return new Extra(room, avoided, taken, company, gone, seekers);
    }

    public Extra with(SortedMap<String, Amounts> room) {
        return new Extra(room, avoided, taken, company, gone, seekers);
    }

    /** And so much more room, by node. */
    public Extra plus(SortedMap<String, Amounts> more) {
        var sum = new TreeMap<>(room);
        more.forEach((node, amounts) -> sum.merge(node, amounts, Amounts::plus));
        return with(sum);
    }

    /** With no pods of these jobs there, by node; or of those that are known already. */
    public Extra without(SortedMap<String, SortedSet<JobId>> jobs) {
        if (jobs.isEmpty()) {
            return this;
        }
        var all = new TreeMap<>(gone);
        jobs.forEach((node, more) -> {
            var there = new TreeSet<>(gone.getOrDefault(node, Collections.emptySortedSet()));
            there.addAll(more);
            all.put(node, Collections.unmodifiableSortedSet(there));
        });
        return new Extra(room, avoided, taken, company, all, seekers);
    }

    /** To one more gang are its nodes left. */
    public Extra leavingTo(Shape seeker) {
        var all = new ArrayList<>(seekers);
        all.add(seeker);
        return new Extra(room, avoided, taken, company, gone, all);
    }
}
