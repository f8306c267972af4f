package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * All that an operator sets of a queue.
 *
 * @param weight share of the turns, 1 to 1,000,000
 */
public record QueueSpec(int weight, Doors doors, Order order, Quota quota) {
    /**
     * Who comes in and who goes on.
     *
     * @param paused no new starts
     * @param draining no new submissions; what waits still starts
     * @param maxWaiting how many jobs may wait
     * @param maxRunning how many may have started and not ended, or {@link #UNLIMITED}
     * @param namespaces that may use it; empty: all
     */
    public record Doors(
            boolean paused,
            boolean draining,
            int maxWaiting,
            int maxRunning,
            SortedSet<String> namespaces) {
        /** In place of a number of running jobs: as many as there is room for. */
        public static final int UNLIMITED = Integer.MAX_VALUE;

        public Doors {
            namespaces = Collections.unmodifiableSortedSet(new TreeSet<>(namespaces));
        }

        public boolean limitsRunning() {
            return maxRunning != UNLIMITED;
        }

        public boolean admits(String namespace) {
            return namespaces.isEmpty() || namespaces.contains(namespace);
        }
    }

    public enum Kind {
        /** By submission alone. */
        FIFO,
        /** By priority, then by submission. */
        PRIORITY
    }

    /**
     * Who goes before whom.
     *
     * @param defaultPriority of a job that names no priority, or 0
     * @param backfill smaller jobs pass a head that cannot start
     * @param reserveAfter how long a head waits until it may hold capacity
     */
    public record Order(Kind kind, int defaultPriority, boolean backfill, Duration reserveAfter) {}
}
