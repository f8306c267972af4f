package dev.muster.admission.core;

import java.util.List;

/** What admission does with a request about a queue or pool. */
public sealed interface SettingsVerdict {
    /** Answered here and now. */
    record Answer(Outcome outcome, List<Problem> problems, String message)
            implements SettingsVerdict {
        public Answer {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Sent on to the pool, whose coordinator answers.
     *
     * @param number the pool's inbox partition
     */
    record Forward(String pool, int number) implements SettingsVerdict {}

    /** Set aside: the pool may appear any moment. */
    record Wait(String message) implements SettingsVerdict {}
}
