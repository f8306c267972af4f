package dev.muster.coordinator.core;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** On which nodes those ranks of a gang are whose pods are there or may still come. */
final class Places {
    private final SortedMap<String, Integer> staying = new TreeMap<>();
    private final SortedMap<String, SortedMap<String, Integer>> byRole = new TreeMap<>();

    void count(Rank rank, int sign) {
        if (rank.sight().over()) {
            return;
        }
        var node = rank.making().node();
        var role = rank.id().role();
        if (!rank.isLeaving()) {
            count(staying, node, sign);
        }
        var ofRole = byRole.computeIfAbsent(role, _ -> new TreeMap<>());
        count(ofRole, node, sign);
        if (ofRole.isEmpty()) {
            byRole.remove(role);
        }
    }

    private static void count(SortedMap<String, Integer> counts, String node, int sign) {
        counts.merge(node, sign, (a, b) -> a + b == 0 ? null : a + b);
    }

    /** By node, how many are there that are not being taken out. */
    SortedMap<String, Integer> staying() {
        return Collections.unmodifiableSortedMap(staying);
    }

    /** Where pods of a role are, those included that are being taken out. */
    SortedSet<String> of(String role) {
        return new TreeSet<>(byRole.getOrDefault(role, Collections.emptySortedMap()).keySet());
    }
}
