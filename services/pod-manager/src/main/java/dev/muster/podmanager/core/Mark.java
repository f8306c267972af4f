package dev.muster.podmanager.core;

import org.jspecify.annotations.Nullable;

/**
 * What an object of ours says of its making, in its labels.
 *
 * @param plan version of the plan that made it, or last changed it
 * @param making which making of which rank; null on what belongs to the whole job
 */
public record Mark(String jobUid, int attempt, long plan, @Nullable Making making) {
    /** One making of one pod. */
    public record Making(Rank rank, int incarnation) {}

    long offset() {
        return Submission.offsetOf(jobUid);
    }
}
