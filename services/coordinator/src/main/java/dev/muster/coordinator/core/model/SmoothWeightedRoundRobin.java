package dev.muster.coordinator.core.model;

import dev.muster.coordinator.core.model.QueuePolicy.Contender;
import dev.muster.coordinator.core.model.QueuePolicy.Turn;
import java.util.List;

/**
 * Whose turn it is, by weight and without bursts: weights 5, 1, 1 give a a b a c a a.
 *
 * <p>Each turn adds every participant's weight to its credit, takes the one with the largest, and
 * subtracts the sum of the weights from it (as nginx balances upstreams). Credits are clamped to
 * plus or minus that sum before the turn, so that a queue that takes part again after a while
 * neither floods nor starves the others. Equal credits go by name.
 *
 * <p>From equal credits nobody is ever a whole turn beyond its share while the same queues take
 * part; whatever the credits were, each is served at least once in 2 n W / w turns, for n queues of
 * weights w and their sum W. While queues come and go no rule keeps to a fixed bound:
 * docs/decisions/0017 has the arithmetic, and what was measured.
 */
public final class SmoothWeightedRoundRobin {
    private SmoothWeightedRoundRobin() {}

    /**
     * @param contenders by name, at least one
     */
    public static Turn next(List<? extends Contender> contenders) {
        long sum = sum(contenders);
        var credits = earned(contenders, sum);
        int chosen = 0;
        for (int i = 1; i < credits.length; i++) {
            if (credits[i] > credits[chosen]) {
                chosen = i;
            }
        }
        credits[chosen] -= sum;
        return new Turn(chosen, credits);
    }

    /** The same turn, but {@code chosen} was chosen elsewhere. */
    static Turn paidBy(int chosen, List<? extends Contender> contenders) {
        long sum = sum(contenders);
        var credits = earned(contenders, sum);
        credits[chosen] -= sum;
        return new Turn(chosen, credits);
    }

    private static long sum(List<? extends Contender> contenders) {
        long sum = 0;
        for (var contender : contenders) {
            sum += contender.weight();
        }
        return sum;
    }

    private static long[] earned(List<? extends Contender> contenders, long sum) {
        var credits = new long[contenders.size()];
        for (int i = 0; i < credits.length; i++) {
            var contender = contenders.get(i);
            credits[i] = Math.clamp(contender.credit(), -sum, sum) + contender.weight();
        }
        return credits;
    }
}
