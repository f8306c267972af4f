package dev.muster.coordinator.history.explain;

import dev.muster.coordinator.core.Standing;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.history.replay.Finding;
import dev.muster.coordinator.history.replay.RuleVersions;
import dev.muster.v1.Decision;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why a job stood as it did at a moment: what was recorded, and what a replay adds.
 *
 * @param at the moment: the pool's time
 * @param recorded the newest decision about the job itself; null: it has none, since jobs that only
 *     stand behind others are not written of one by one
 * @param ofQueue what was recorded of its whole queue and held then; null: nothing did
 * @param standing by replay
 * @param start why it was started; null: it was not, or the log does not reach back so far
 * @param estimate null: there is nothing to go by
 */
public record Explanation(
        JobId job,
        String pool,
        Instant at,
        @Nullable Decision recorded,
        @Nullable Decision ofQueue,
        Standing standing,
        @Nullable Start start,
        @Nullable Estimate estimate,
        Basis basis) {
    /**
     * The last start of a job.
     *
     * @param decision as recorded
     * @param cause what kind of inbox record led to it, in words
     * @param policy of the pool then
     * @param before how the job stood just before; null: it came with that record
     * @param after how it stood just after: ahead of it are those that it passed, its rivals are
     *     those that it went before
     */
    public record Start(
            Decision decision,
            String cause,
            String policy,
            @Nullable Standing before,
            @Nullable Standing after) {}

    /**
     * At its queue's pace.
     *
     * @param starts how many jobs of the queue started since {@code since}
     */
    public record Estimate(Instant start, int position, int starts, Instant since) {}

    /**
     * What the replay rests on.
     *
     * @param snapshot null: the log's beginning
     * @param rules of all that was replayed, of the start as well
     * @param stop the record at which the pool cannot go on: it is shown as it stood before; null:
     *     there is none
     */
    public record Basis(
            @Nullable Instant snapshot,
            long records,
            Duration took,
            RuleVersions rules,
            Finding.@Nullable NotTaken stop) {}
}
