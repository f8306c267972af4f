package dev.muster.admission.core;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The queues as admission knows them now. */
public interface Queues {
    /** Null: there is none of that name, or nothing is known of its pool yet. */
    @Nullable Queue find(String name);

    /** All queues of a pool. */
    List<Queue> of(String pool);

    /** The priority classes of a pool; null: nothing is known of it yet. */
    @Nullable Set<String> priorityClasses(String pool);

    /** Whether a backend binds what a pool orders; false where nothing is known of the pool yet. */
    boolean hasBackend(String pool);

    /**
     * A queue with its pool.
     *
     * @param number the pool's inbox partition
     * @param waiting how many jobs wait, as last heard
     * @param maxWaiting how many may
     * @param draining it takes no new submissions
     * @param namespaces whose jobs it takes; empty: everybody's
     * @param limit most that it uses; cpu in milli, everything else in whole units
     */
    record Queue(
            String name,
            String pool,
            int number,
            int waiting,
            int maxWaiting,
            boolean draining,
            List<String> namespaces,
            Map<String, Long> limit) {
        public Queue {
            namespaces = List.copyOf(namespaces);
            limit = Ordered.copy(limit);
        }

        boolean full() {
            return waiting >= maxWaiting;
        }
    }
}
