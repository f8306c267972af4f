package dev.muster.bench.decider;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PodSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a full pool is filled with: the defaults of everything that a user need not say. */
final class Contents {
    /** So many pods of one core fit on each node. */
    static final int PODS_PER_NODE = 100;

    private static final int PODS_OF_A_KUBELET = 110;
    private static final long GIBIBYTE = 1L << 30;
    private static final long MEBIBYTE = 1L << 20;

    /** So many sizes differ in cpu, and then in memory. */
    private static final int SIZES_OF_CPU = 10;

    /** As different as they may be for that. */
    static final int MOST_SIZES = 10_000;

    /** So many nodes come free in one shot and are used up at once. */
    private static final int ROOM_FOR_NO_GANG = 100;

    /** One of so many sizes is of gangs. */
    private static final int ONE_IS_A_GANG = 10;

    private Contents() {}

    static PoolSpec pool(Variant variant) {
        return new PoolSpec(
                new TreeMap<>(),
                QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN,
                PoolSpec.Preemption.OFF,
                variant.priorities(),
                PoolSpec.Spot.NONE,
                PoolSpec.Backing.NONE);
    }

    static QueueSpec queue(int weight, Duration reserveAfter, Quota quota) {
        return new QueueSpec(
                weight,
                new QueueSpec.Doors(
                        false, false, Integer.MAX_VALUE, Integer.MAX_VALUE, new TreeSet<>()),
                new QueueSpec.Order(QueueSpec.Kind.PRIORITY, 0, true, reserveAfter),
                quota);
    }

    static Node node(String name) {
        var labels = new TreeMap<>(Map.of("kubernetes.io/hostname", name));
        return new Node(name, 1, labels, List.of(), false, true, allocatable(), 0);
    }

    static Amounts allocatable() {
        return ofNode(PODS_PER_NODE * 1000L);
    }

    /** The same less what no pod can do with. */
    static Amounts nearlyAll() {
        return ofNode(PODS_PER_NODE * 1000L - 100);
    }

    private static Amounts ofNode(long cpu) {
        return Amounts.of(
                Map.of(
                        "cpu",
                        cpu,
                        "memory",
                        2 * PODS_PER_NODE * GIBIBYTE,
                        "pods",
                        (long) PODS_OF_A_KUBELET));
    }

    /**
     * Shares nothing with any other job's, since each is read from a record of its own.
     *
     * @param size of its pods: whatever they are, as many fit on a node
     */
    static JobSpec job(String queue, int priority, int pods, int size) {
        return job(queue, priority, List.of(role("worker", pods, sized(size))));
    }

    /** Waits for more nodes than ever come free at once: a master, and workers of this size. */
    static JobSpec largeGang(String queue, int priority, int size) {
        var roles =
                List.of(
                        role("master", 1, sized(0)),
                        role("worker", ROOM_FOR_NO_GANG * PODS_PER_NODE, sized(size)));
        return job(queue, priority, roles);
    }

    /** Jobs of this size are large gangs; never the first one. */
    static boolean isOfLargeGangs(int size) {
        return size % ONE_IS_A_GANG == ONE_IS_A_GANG - 1;
    }

    /** Takes so many whole nodes. */
    static JobSpec jobOfWholeNodes(String queue, int nodes) {
        var whole = demand(PODS_PER_NODE * 1000L, GIBIBYTE);
        return job(queue, 0, List.of(role("master", 1, whole), role("worker", nodes - 1, whole)));
    }

    private static Amounts sized(int size) {
        return demand(1000L - size % SIZES_OF_CPU, GIBIBYTE + size / SIZES_OF_CPU * MEBIBYTE);
    }

    private static JobSpec.Role role(String name, int pods, Amounts demand) {
        return new JobSpec.Role(
                own(name), pods, pods, 0, pod(demand), List.of(), JobSpec.Care.PLAIN, 0);
    }

    private static JobSpec job(String queue, int priority, List<JobSpec.Role> roles) {
        var place =
                new JobSpec.Place(own(queue), priority, null, false, List.of(), new TreeMap<>());
        var gang =
                new JobSpec.Gang(
                        0, Duration.ofMinutes(5), new Topology(Topology.Policy.NONE, null));
        return new JobSpec(
                place,
                new JobSpec.Work(
                        gang,
                        roles,
                        new JobSpec.Success.All(),
                        JobSpec.Cleanup.RUNNING,
                        Duration.ofHours(24),
                        Duration.ofSeconds(30),
                        FailurePolicy.PLAIN,
                        JobSpec.Deadlines.NONE,
                        Amounts.NONE,
                        null,
                        false,
                        null,
                        false));
    }

    private static Amounts demand(long cpu, long memory) {
        return Amounts.of(Map.of(own("cpu"), cpu, own("memory"), memory, own("pods"), 1L));
    }

    private static PodSpec pod(Amounts demand) {
        return new PodSpec(
                demand,
                Amounts.of(Map.of()),
                new NodeFilter(new TreeMap<>(), List.of(), List.of(), new TreeSet<>()),
                false,
                JobSpec.Restart.NEVER,
                false,
                null,
                null,
                List.of());
    }

    private static String own(String text) {
        return String.valueOf(text.toCharArray());
    }
}
