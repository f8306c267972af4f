package dev.muster.schemas.trainjob;

import dev.muster.v1.Problem;
import java.util.List;

/**
 * What a text turned out to be.
 *
 * @param <T> what it says where it is in good form
 */
public sealed interface Form<T> {
    /** A text in good form. */
    record Read<T>(T it) implements Form<T> {}

    /** A text that is not, and all that is wrong with it. */
    record Refused<T>(List<Problem> problems) implements Form<T> {
        /** Copies the problems in. */
        public Refused {
            problems = List.copyOf(problems);
        }
    }
}
