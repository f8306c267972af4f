package dev.muster.coordinator.core.model;

import dev.muster.coordinator.core.model.JobSpec.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which pods of one job may not be on one node. Where one of two may not be beside the other, the
 * other may not be beside it, as kube-scheduler has it.
 */
public final class Separation {
    static final Separation NONE = new Separation(Collections.emptySortedMap());

    /** Of roles that keep apart from something: by the first index of each group. */
    private final SortedMap<String, SortedMap<Integer, Group>> byRole;

    /**
     * Pods of one role that keep apart from the same others: all of them, or those of some indices.
     *
     * @param apart groups none of which may be on a node with one of it; its own, too, where no two
     *     of it may be
     */
    public record Group(String name, SortedSet<String> apart) {
        public Group {
            apart =
                    apart.isEmpty()
                            ? Collections.emptySortedSet()
                            : Collections.unmodifiableSortedSet(new TreeSet<>(apart));
        }

        /** Of pods that go anywhere. */
        static Group plain(String role) {
            return new Group(role, Collections.emptySortedSet());
        }

        /** A node takes at most one of it. */
        public boolean isAlone() {
            return apart.contains(name);
        }

        /** It keeps apart from others than its own. */
        public boolean shunsOthers() {
            return apart.size() > (isAlone() ? 1 : 0);
        }

        /** The same beside others than its own. */
        Group mixed() {
            return new Group(
                    name, isAlone() ? new TreeSet<>(List.of(name)) : Collections.emptySortedSet());
        }
    }

    /** Pods of one group whose indices follow each other. */
    public record Run(int first, int pods, Group group) {}

    private Separation(SortedMap<String, SortedMap<Integer, Group>> byRole) {
        this.byRole = byRole;
    }

    public static Separation of(List<Role> roles) {
        if (roles.stream().noneMatch(Separation::asks)) {
            return NONE;
        }
        var names = names(roles);
        var apart = new TreeMap<String, SortedSet<String>>();
        for (var role : roles) {
            for (var from : apartFrom(role)) {
                var others = names.getOrDefault(from.role(), Collections.emptySortedMap());
                for (var own : of(names, role.name()).values()) {
                    others.subMap(from.first(), from.end())
                            .values()
                            .forEach(other -> {
                                apart.computeIfAbsent(own, _ -> new TreeSet<>()).add(other);
                                apart.computeIfAbsent(other, _ -> new TreeSet<>()).add(own);
                            });
                }
            }
        }
        return new Separation(grouped(names, apart));
    }

    private static boolean asks(Role role) {
        return role.pod().apart() || !role.pod().apartFrom().isEmpty();
    }

    private static List<RankRange> apartFrom(Role role) {
        var all = new ArrayList<>(role.pod().apartFrom());
        if (role.pod().apart()) {
            all.add(new RankRange(role.name(), 0, RankRange.OPEN));
        }
        return all;
    }

    /** By role, and by the first index of each group. */
    private static SortedMap<String, SortedMap<Integer, String>> names(List<Role> roles) {
        var names = new TreeMap<String, SortedMap<Integer, String>>();
        for (var role : roles) {
            names.computeIfAbsent(role.name(), _ -> new TreeMap<>()).put(0, role.name());
        }
        for (var role : roles) {
            for (var from : role.pod().apartFrom()) {
                for (int bound : List.of(from.first(), from.end())) {
                    if (names.containsKey(from.role()) && bound > 0 && bound < RankRange.OPEN) {
                        of(names, from.role()).put(bound, from.role() + "/" + bound);
                    }
                }
            }
        }
        return names;
    }

    private static SortedMap<Integer, String> of(
            SortedMap<String, SortedMap<Integer, String>> names, String role) {
        return names.getOrDefault(role, Collections.emptySortedMap());
    }

    private static SortedMap<String, SortedMap<Integer, Group>> grouped(
            SortedMap<String, SortedMap<Integer, String>> names,
            SortedMap<String, SortedSet<String>> apart) {
        var byRole = new TreeMap<String, SortedMap<Integer, Group>>();
        names.forEach((role, starts) -> {
            if (starts.values().stream().anyMatch(apart::containsKey)) {
                var groups = new TreeMap<Integer, Group>();
                starts.forEach((first, name) ->
                        groups.put(
                                first,
                                new Group(
                                        name,
                                        apart.getOrDefault(name, Collections.emptySortedSet()))));
                byRole.put(role, groups);
            }
        });
        return byRole;
    }

    /** Where a pod of the role may go depends on where others are. */
    public boolean concerns(String role) {
        return byRole.containsKey(role);
    }

    /** The group's name; that of a role that keeps apart from nothing is the role's. */
    public String group(RankId rank) {
        var groups = byRole.get(rank.role());
        return groups == null ? rank.role() : group(groups, rank.index()).name();
    }

    /** Groups that a pod keeps apart from. */
    public SortedSet<String> apartFrom(RankId rank) {
        var groups = byRole.get(rank.role());
        return groups == null ? Collections.emptySortedSet() : group(groups, rank.index()).apart();
    }

    private static Group group(SortedMap<Integer, Group> groups, int index) {
        return Objects.requireNonNull(groups.get(groups.headMap(index + 1).lastKey()));
    }

    /** These pods of a role by their groups, in order. */
    public List<Run> runs(String role, int first, int pods) {
        var groups = byRole.get(role);
        if (pods == 0) {
            return List.of();
        }
        if (groups == null) {
            return List.of(new Run(first, pods, Group.plain(role)));
        }
        var runs = new ArrayList<Run>();
        int from = first;
        int end = first + pods;
        while (from < end) {
            var later = groups.tailMap(from + 1);
            int to = later.isEmpty() ? end : Math.min(end, later.firstKey());
            runs.add(new Run(from, to - from, group(groups, from)));
            from = to;
        }
        return runs;
    }
}
