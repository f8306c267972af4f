package dev.muster.admission.stream;

import dev.muster.schemas.serde.UnreadableRecordException;
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

        /**
         * Some topic would not take what is too large, nor ever after.
         *
         * @throws UnreadableRecordException when a record or the row is
         */
        Done checked() {
            for (var record : records) {
                check("a record for " + record.target().topic(), record.bytes());
            }
            if (row != null && row.value() != null) {
                check("a row", row.key().length() + row.value().length);
            }
            return this;
        }

        private static void check(String what, long bytes) {
            if (bytes > Outgoing.MOST_BYTES) {
                throw new UnreadableRecordException(
                        "leads to %s of %,d bytes, %,d are allowed"
                                .formatted(what, bytes, Outgoing.MOST_BYTES));
            }
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
