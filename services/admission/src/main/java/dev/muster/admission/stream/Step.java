package dev.muster.admission.stream;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What becomes of one arrival. */
sealed interface Step {
    /**
     * It is done with.
     *
     * @param row what to remember; null: what was known
     * @param what for the log: the answer, or what was sent on; empty: there is nothing to say
     */
    record Done(List<Outgoing> records, @Nullable Row row, String what) implements Step {
        public Done {
            records = List.copyOf(records);
        }
    }

    /** It is tried again. */
    record Later(String why) implements Step {}

    /**
     * One row of the store.
     *
     * @param value null: the row goes
     */
    record Row(String key, byte @Nullable [] value) {}
}
