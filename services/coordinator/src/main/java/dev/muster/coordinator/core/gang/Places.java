package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Separation;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** On which nodes those ranks of a gang are whose pods are there or may still come. */
public final class Places {
    private final Separation separation;
    private final SortedMap<String, Integer> staying = new TreeMap<>();
    private final SortedMap<String, Integer> returning = new TreeMap<>();
    private final SortedMap<String, SortedMap<String, Integer>> byGroup = new TreeMap<>();

    Places(Separation separation) {
        this.separation = separation;
    }

    void count(Rank rank, int sign) {
        var node = rank.making().node();
        if (!rank.sight().over() && !rank.isLeaving()) {
            count(staying, node, sign);
        }
        if (comesBack(rank)) {
            count(returning, node, sign);
        }
        if (isThere(rank)) {
            var group = separation.group(rank.id());
            var ofGroup = byGroup.computeIfAbsent(group, _ -> new TreeMap<>());
            count(ofGroup, node, sign);
            if (ofGroup.isEmpty()) {
                byGroup.remove(group);
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

    /** Where pods of these groups are or come back to, those included that are being taken out. */
    public SortedSet<String> of(SortedSet<String> groups) {
        var nodes = new TreeSet<String>();
        for (var group : groups) {
            nodes.addAll(byGroup.getOrDefault(group, Collections.emptySortedMap()).keySet());
        }
        return nodes;
    }

    /** The same of those that a rank keeps apart from; it does not count itself. */
    public SortedSet<String> apartFrom(Rank rank) {
        var nodes = new TreeSet<String>();
        var own = separation.group(rank.id());
        for (var group : separation.apartFrom(rank.id())) {
            var there = byGroup.getOrDefault(group, Collections.emptySortedMap());
            for (var node : there.entrySet()) {
                boolean isItself =
                        group.equals(own)
                                && isThere(rank)
                                && node.getKey().equals(rank.making().node());
                if (node.getValue() > (isItself ? 1 : 0)) {
                    nodes.add(node.getKey());
                }
            }
        }
        return nodes;
    }
}
