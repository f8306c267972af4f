package dev.muster.coordinator.core;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that an operator sets of a pool.
 *
 * @param nodeSelector labels that a node must have to belong to it; the watcher judges that
 * @param policy whose turn it is
 */
public record PoolSpec(
        SortedMap<String, String> nodeSelector,
        QueuePolicy policy,
        Preemption preemption,
        Priorities priorities,
        Spot spot,
        Backing backing) {
    /**
     * Which running gangs may be ended to make room for the pool's holder.
     *
     * @param minimumRun a gang runs for so long before it may be a victim
     * @param budget how often one job may be a victim
     */
    public record Preemption(Mode mode, Duration minimumRun, int budget) {
        public static final Preemption OFF = new Preemption(Mode.OFF, Duration.ofMinutes(10), 3);
    }

    public enum Mode {
        OFF,
        /** Gangs of queues that use more than their guarantee, for a queue that uses less. */
        BORROWERS,
        /** Those, and gangs of lower priority. */
        LOWER_PRIORITY
    }

    /**
     * What a job's priority is worth.
     *
     * @param classes values by name
     * @param agingStep each one waited adds 1; zero: nothing ages
     * @param agingMost the most that is added
     */
    public record Priorities(
            SortedMap<String, Integer> classes, Duration agingStep, int agingMost) {
        public static final Priorities PLAIN = new Priorities(new TreeMap<>(), Duration.ZERO, 1000);

        public Priorities {
            classes = Collections.unmodifiableSortedMap(new TreeMap<>(classes));
        }
    }

    /** Where spot pods may go, beyond what their template says. */
    public record Spot(
            SortedMap<String, String> selector, List<NodeFilter.Toleration> tolerations) {
        public static final Spot NONE = new Spot(new TreeMap<>(), List.of());

        public Spot {
            selector = Collections.unmodifiableSortedMap(new TreeMap<>(selector));
            tolerations = List.copyOf(tolerations);
        }
    }

    /** Who holds a gang together in the cluster. */
    public enum Backend {
        /** The pool itself: it reserves room, and pins every pod to its node. */
        NONE,
        VOLCANO
    }

    /**
     * What is left to others than the pool.
     *
     * @param delegated the backend alone knows about room; the pool counts quotas
     * @param queue the backend's own for all jobs; null: the one with the name of the job's queue
     */
    public record Backing(Backend backend, boolean delegated, @Nullable String queue) {
        public static final Backing NONE = new Backing(Backend.NONE, false, null);

        boolean choosesNodes() {
            return backend != Backend.NONE;
        }
    }

    static final PoolSpec PLAIN =
            new PoolSpec(
                    new TreeMap<>(),
                    QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN,
                    Preemption.OFF,
                    Priorities.PLAIN,
                    Spot.NONE,
                    Backing.NONE);

    public PoolSpec {
        nodeSelector = Collections.unmodifiableSortedMap(new TreeMap<>(nodeSelector));
    }
}
