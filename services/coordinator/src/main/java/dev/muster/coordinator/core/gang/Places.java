package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** On which nodes those ranks of a gang are whose pods are there or may still come. */
public final class Places {
    private final SortedMap<String, Integer> staying = new TreeMap<>();
    private final SortedMap<String, Integer> returning = new TreeMap<>();
    private final SortedMap<String, SortedMap<String, Integer>> byRole = new TreeMap<>();

    void count(Rank rank, int sign) {
        var node = rank.making().node();
        if (!rank.sight().over() && !rank.isLeaving()) {
            count(staying, node, sign);
        }
        if (comesBack(rank)) {
            count(returning, node, sign);
        }
        if (isThere(rank)) {
            var ofRole = byRole.computeIfAbsent(rank.id().role(), _ -> new TreeMap<>());
            count(ofRole, node, sign);
            if (ofRole.isEmpty()) {
                byRole.remove(rank.id().role());
            }
        }
    }

    private static void count(SortedMap<String, Integer> counts, String node, int sign) {
        counts.merge(node, sign, (a, b) -> a + b == 0 ? null : a + b);
    }

    private static boolean comesBack(Rank rank) {
        return !rank.isLeaving()
                && (rank.state() == RankState.FAILED || rank.state() == RankState.RETURNING);
    }

    private static boolean isThere(Rank rank) {
        return !rank.sight().over() || comesBack(rank);
    }

    /** By node, how many are there that are not being taken out. */
    public SortedMap<String, Integer> staying() {
        return Collections.unmodifiableSortedMap(staying);
    }

    /** By node, how many have failed there and were not made again yet. */
    public SortedMap<String, Integer> returning() {
        return Collections.unmodifiableSortedMap(returning);
    }

    /** Where pods of a role are or come back to, those included that are being taken out. */
    public SortedSet<String> of(String role) {
        return new TreeSet<>(byRole.getOrDefault(role, Collections.emptySortedMap()).keySet());
    }

    /** The same of the others of its role. */
    public SortedSet<String> beside(Rank rank) {
        var there = byRole.getOrDefault(rank.id().role(), Collections.emptySortedMap());
        var nodes = new TreeSet<>(there.keySet());
        var own = rank.making().node();
        if (isThere(rank) && there.getOrDefault(own, 0) == 1) {
            nodes.remove(own);
        }
        return nodes;
    }
}
