package dev.muster.admission.core;

import org.jspecify.annotations.Nullable;

/** The queues as admission knows them now. */
@FunctionalInterface
public interface Queues {
    /** Null: there is none of that name, or nothing is known of its pool yet. */
    @Nullable Queue find(String name);

    /**
     * A queue with its pool.
     *
     * @param number the pool's inbox partition
     * @param waiting how many jobs wait, as last heard
     * @param maxWaiting how many may
     */
    record Queue(String name, String pool, int number, int waiting, int maxWaiting) {
        boolean full() {
            return waiting >= maxWaiting;
        }
    }
}
