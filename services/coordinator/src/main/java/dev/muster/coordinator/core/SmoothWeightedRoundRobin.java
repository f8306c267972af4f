package dev.muster.coordinator.core;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whose turn it is, by weight and without bursts: weights 5, 1, 1 give a a b a c a a.
 *
 * <p>Each turn adds every participant's weight to its credit, takes the one with the largest, and
 * subtracts the sum of the weights from it (as nginx balances upstreams). Credits are clamped to
 * plus or minus that sum before the turn, so that a queue that takes part again after a while
 * neither floods nor starves the others; while the same queues take part this has no effect. Equal
 * credits go by name.
 */
final class SmoothWeightedRoundRobin {
    private SmoothWeightedRoundRobin() {}

    /**
     * @param chosen whose turn it is
     * @param credits of all participants after the turn
     */
    record Turn(String chosen, SortedMap<String, Long> credits) {}

    record Share(int weight, long credit) {}

    /**
     * @param participants by name, at least one, weights above 0
     */
    static Turn next(SortedMap<String, Share> participants) {
        long sum = participants.values().stream().mapToLong(Share::weight).sum();
        var credits = new TreeMap<String, Long>();
        participants.forEach((name, share) ->
                credits.put(name, Math.clamp(share.credit(), -sum, sum) + share.weight()));
        var chosen = credits.firstKey();
        long largest = Long.MIN_VALUE;
        for (var entry : credits.entrySet()) {
            if (entry.getValue() > largest) {
                chosen = entry.getKey();
                largest = entry.getValue();
            }
        }
        credits.merge(chosen, -sum, Long::sum);
        return new Turn(chosen, credits);
    }
}
