package dev.muster.coordinator.core.model;

import java.util.Comparator;
import java.util.List;

/** How it is chosen whose turn it is, among the queues that have a job that could start now. */
public enum QueuePolicy {
    SMOOTH_WEIGHTED_ROUND_ROBIN,
    ROUND_ROBIN,
    /** The oldest job first, whatever its queue. */
    FIFO,
    /** The queue that has the least of what it uses most, by weight. */
    DOMINANT_SHARE;

    /** A queue that takes part in a turn. */
    public interface Contender {
        /** 1 or more. */
        int weight();

        /** What the policy noted of it after its last turn. */
        long credit();

        /** Of the job that it would start: smaller is older. */
        long ticket();

        /** What its jobs use now. */
        Amounts used();
    }

    /**
     * @param chosen index of the contender whose turn it is
     * @param credits of all contenders after the turn
     */
    public record Turn(int chosen, long[] credits) {}

    /**
     * @param contenders by name, at least one; equal claims go to the first
     * @param total of the pool, for shares
     * @param last the largest number of a turn that was noted of any queue, contender or not
     */
    public Turn next(List<? extends Contender> contenders, Amounts total, long last) {
        return this == SMOOTH_WEIGHTED_ROUND_ROBIN
                ? SmoothWeightedRoundRobin.next(contenders)
                : first(contenders, order(total), last);
    }

    /**
     * Who would be before whom if it were their turns now; equal claims go by name.
     *
     * @param total of the pool, for shares
     */
    public Comparator<Contender> order(Amounts total) {
        return switch (this) {
            case SMOOTH_WEIGHTED_ROUND_ROBIN ->
                    Comparator.comparingLong(contender -> -contender.credit() - contender.weight());
            case ROUND_ROBIN -> Comparator.comparingLong(Contender::credit);
            case FIFO -> Comparator.comparingLong(Contender::ticket);
            case DOMINANT_SHARE -> (a, b) -> DominantShare.compare(a, b, total);
        };
    }

    /**
     * The turn goes to {@code chosen}, who pays for it as if it had been chosen.
     *
     * @param last as for {@link #next}
     */
    public Turn paidBy(int chosen, List<? extends Contender> contenders, long last) {
        return switch (this) {
            case SMOOTH_WEIGHTED_ROUND_ROBIN -> SmoothWeightedRoundRobin.paidBy(chosen, contenders);
            case ROUND_ROBIN, FIFO, DOMINANT_SHARE -> served(chosen, contenders, last);
        };
    }

    private static Turn first(
            List<? extends Contender> contenders, Comparator<Contender> order, long last) {
        int chosen = 0;
        for (int i = 1; i < contenders.size(); i++) {
            if (order.compare(contenders.get(i), contenders.get(chosen)) < 0) {
                chosen = i;
            }
        }
        return served(chosen, contenders, last);
    }

    /**
     * The credit is the number of the turn in which the queue was served last, of all turns of the
     * pool: queues whose turns were counted apart could not be compared.
     */
    private static Turn served(int chosen, List<? extends Contender> contenders, long last) {
        var credits = new long[contenders.size()];
        for (int i = 0; i < credits.length; i++) {
            credits[i] = Math.max(0, contenders.get(i).credit());
        }
        credits[chosen] = Math.max(0, last) + 1;
        return new Turn(chosen, credits);
    }
}
