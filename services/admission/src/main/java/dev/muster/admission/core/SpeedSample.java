package dev.muster.admission.core;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job said once of how fast it trains.
 *
 * @param at when it was heard, by admission's clock
 * @param uid the submission that it speaks of; null: it did not say
 * @param attempt in which it was measured; null: it did not say
 * @param incarnation of the pod that measured; null: it did not say
 * @param workers how many pods took part; null: it did not say
 * @param stepMicros how long one step took; null: it did not say
 * @param samplesPerSecondThousandths over the whole job; null: it does not count samples
 */
public record SpeedSample(
        Instant at,
        @Nullable String uid,
        @Nullable Integer attempt,
        @Nullable Integer incarnation,
        @Nullable Integer workers,
        long step,
        @Nullable Long epoch,
        @Nullable Long stepMicros,
        @Nullable Long samplesPerSecondThousandths,
        @Nullable Long batchMicros) {

    /** All that is wrong with it. */
    public List<Problem> problems() {
        var problems = new ArrayList<Problem>();
        if (stepMicros == null && samplesPerSecondThousandths == null) {
            problems.add(
                    new Problem(
                            "samplesPerSecond",
                            "",
                            "must be set, or secondsPerStep where samples are not counted"));
        }
        least(problems, "step", step, 0);
        least(problems, "epoch", epoch, 0);
        least(problems, "workers", workers == null ? null : Long.valueOf(workers), 1);
        least(problems, "secondsPerStep", stepMicros, 1);
        least(problems, "samplesPerSecond", samplesPerSecondThousandths, 0);
        least(problems, "secondsPerBatch", batchMicros, 1);
        return problems;
    }

    private static void least(List<Problem> to, String path, @Nullable Long given, long least) {
        if (given != null && given < least) {
            var said = least == 0 ? "must not be negative" : "must be more than 0";
            to.add(new Problem(path, given.toString(), said));
        }
    }
}
