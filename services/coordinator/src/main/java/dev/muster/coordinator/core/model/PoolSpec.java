package dev.muster.coordinator.core.model;

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
        Backing backing,
        Notices notices,
        NodeHealth nodeHealth) {
    /** With the notices that clouds and autoscalers give by themselves, and the usual memory. */
    public PoolSpec(
            SortedMap<String, String> nodeSelector,
            QueuePolicy policy,
            Preemption preemption,
            Priorities priorities,
            Spot spot,
            Backing backing) {
        this(
                nodeSelector,
                policy,
                preemption,
                priorities,
                spot,
                backing,
                Notices.USUAL,
                NodeHealth.USUAL);
    }

    /**
     * Which running gangs may be ended to make room for the pool's holder.
     *
     * @param minimumRun a gang was Running for so long before it may be a victim; zero: one that
     *     still starts may be, too
     * @param budget how often one job may be a victim
     */
    public record Preemption(Mode mode, Duration minimumRun, int budget) {
        public static final Preemption OFF = new Preemption(Mode.OFF, Duration.ofMinutes(10), 3);
    }

    public enum Mode {
        OFF,
        /** Gangs of queues that use more than their guarantee, for a queue that uses less. */
        BORROWERS,
        /** Those, and gangs of lower priority in the same queue. */
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

    /**
     * By what a node is known to be about to go, beside its being cordoned.
     *
     * @param taints their keys
     * @param conditions their types; they are True
     * @param annotations their keys
     */
    public record Notices(List<String> taints, List<String> conditions, List<String> annotations) {
        /** Of cluster-autoscaler, AWS, Google Cloud, Karpenter, Kubernetes itself, and Azure. */
        public static final Notices USUAL =
                new Notices(
                        List.of(
                                "ToBeDeletedByClusterAutoscaler",
                                "aws-node-termination-handler/asg-lifecycle-termination",
                                "aws-node-termination-handler/rebalance-recommendation",
                                "aws-node-termination-handler/scheduled-maintenance",
                                "aws-node-termination-handler/spot-itn",
                                "cloud.google.com/impending-node-termination",
                                "karpenter.sh/disrupted",
                                "karpenter.sh/disruption",
                                "node.kubernetes.io/out-of-service",
                                "node.cloudprovider.kubernetes.io/shutdown"),
                        List.of("PreemptScheduled", "RedeployScheduled", "TerminateScheduled"),
                        List.of());

        public Notices {
            taints = List.copyOf(taints);
            conditions = List.copyOf(conditions);
            annotations = List.copyOf(annotations);
        }

        public boolean announce(Node node) {
            return conditions.stream().anyMatch(node.notes().conditions()::contains)
                    || annotations.stream().anyMatch(node.notes().annotations()::contains);
        }
    }

    /**
     * How the pool remembers failures that were a node's own, whatever the job.
     *
     * @param halfLife in which half of it is forgotten; zero: nothing is remembered
     * @param excludeAt so many failures close a node until half of them is forgotten; 0: it is only
     *     chosen last
     */
    public record NodeHealth(Duration halfLife, int excludeAt) {
        public static final NodeHealth USUAL = new NodeHealth(Duration.ofHours(6), 0);

        public boolean remembers() {
            return halfLife.toMillis() > 0;
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

        public boolean choosesNodes() {
            return backend != Backend.NONE;
        }
    }

    public static final PoolSpec PLAIN =
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
