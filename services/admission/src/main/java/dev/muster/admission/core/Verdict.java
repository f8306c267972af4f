package dev.muster.admission.core;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What admission does with a request about a job. */
public sealed interface Verdict {
    /**
     * Answered here and now.
     *
     * @param uid the submission that the answer speaks of
     * @param phase where that submission stands
     * @param next what the directory is to know afterwards; null: what it knew
     */
    record Answer(
            Outcome outcome,
            @Nullable String uid,
            @Nullable Phase phase,
            List<Problem> problems,
            String message,
            @Nullable Entry next)
            implements Verdict {
        public Answer {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Sent on to the pool, whose coordinator answers.
     *
     * @param number the pool's inbox partition
     * @param next what the directory is to know afterwards
     */
    record Forward(String pool, int number, String uid, Command command, Entry next)
            implements Verdict {}

    /**
     * Asked before, and sent on to the pool, which has not answered: its one answer has the same
     * requestId, and is that of this repeat, too.
     */
    record Underway(String pool) implements Verdict {}

    /** Set aside: something that it needs may appear any moment. */
    record Wait(String message) implements Verdict {}

    /** What a pool is told. */
    sealed interface Command {
        record Submitted(Examined examined) implements Command {}

        record Cancelled(@Nullable Duration gracePeriod, String message) implements Command {}

        record Changed(JobChange change) implements Command {}
    }
}
