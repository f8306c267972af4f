package dev.muster.coordinator.history.explain;

import dev.muster.coordinator.history.explain.Explanation.Estimate;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How many jobs of a queue started, from when on. */
final class Pace {
    /** Fewer make no pace. */
    private static final int FEWEST_STARTS = 3;

    private @Nullable Instant since;
    private int starts;

    /** Takes the next decision of the queue. */
    void add(Decision decision) {
        if (isByTurn(decision)) {
            since = since == null ? decision.getEnvelope().getAt() : since;
            starts++;
        }
    }

    /** Not where a gang was made again in its own room: it took no turn, and shows no credits. */
    private static boolean isByTurn(Decision decision) {
        return decision.getKind() == DecisionKind.STARTED
                && !decision.getStarted().getCredits().isEmpty();
    }

    /**
     * If the queue goes on as it did, one start after so long as was between the starts.
     *
     * @param position in the queue; the first has 1
     * @return null: too few started to say
     */
    @Nullable Estimate estimate(int position, Instant now) {
        if (since == null || starts < FEWEST_STARTS) {
            return null;
        }
        var wait = Duration.between(since, now).multipliedBy(position).dividedBy(starts);
        return new Estimate(now.plus(wait), position, starts, since);
    }
}
