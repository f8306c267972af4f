package dev.muster.streams;

import java.util.List;

/** Which of an application's open transactions nobody will commit. */
sealed interface Left {
    /** These, by their ids, in order; mostly none. */
    record These(List<String> ids) implements Left {
        public These {
            ids = List.copyOf(ids);
        }
    }

    /**
     * Some may be left, or all are still worked on.
     *
     * @param member does not tell the id of its transactions
     */
    record Unknown(String member) implements Left {}
}
