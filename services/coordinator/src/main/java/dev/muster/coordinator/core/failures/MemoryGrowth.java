package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Memory;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Wide;
import dev.muster.coordinator.core.model.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How much memory a role's main container gets after it ran out of it: as its rule says, within the
 * rule's own bound, what the job may use in all, and the largest node that could take its pod.
 *
 * @param bytes what it gets; 0: no more
 * @param message one sentence for people: how far it grows, or what keeps it from growing
 */
record MemoryGrowth(long bytes, String message) {
    private static final long MEBI = 1L << 20;

    boolean isDenied() {
        return bytes == 0;
    }

    /** What bounds it, in bytes, and in words. */
    private record Bound(long bytes, String words) {}

    /**
     * @param had what the container had that ran out of memory; 0: what it was submitted with
     * @param places of each kind of its pods
     */
    static MemoryGrowth of(
            JobSpec spec, String name, Action.GrowMemory rule, long had, Places places) {
        var role = spec.role(name);
        var memory = role.pod().memory();
        if (memory == null) {
            return no(
                    name,
                    "its main container names none, or its template that of the pod as a whole");
        }
        if (memory.now() > (had == 0 ? memory.asked() : had)) {
            return new MemoryGrowth(
                    memory.now(),
                    "memory of role %s has grown to %s since"
                            .formatted(name, Words.bytes(memory.now())));
        }
        var bound = least(ofRule(rule), least(ofJob(spec, role), ofNodes(role, places)));
        long wanted = times(memory.now(), rule.thousandths());
        if (bound == null || wanted <= bound.bytes()) {
            return grows(name, memory.now(), wanted);
        }
        return bound.bytes() > memory.now()
                ? grows(name, memory.now(), bound.bytes())
                : no(name, bound.words());
    }

    /** A node, and what others leave of it. */
    record NodeRoom(Node node, Amounts left) {}

    /**
     * Where the pods of a role may be.
     *
     * @param filters what they accept, be it as spot pods or not: all of them grow
     * @param nodes of the pool
     */
    record Places(List<NodeFilter> filters, List<NodeRoom> nodes) {
        /** Of each kind that the role has, or that failed. */
        static Places of(JobSpec.Role role, Rank failed, PoolSpec.Spot spot, List<NodeRoom> nodes) {
            var filters = new ArrayList<NodeFilter>();
            if (GangRequirements.onDemand(role) > 0 || !failed.isSpot(role)) {
                filters.add(GangRequirements.filter(role, false, spot));
            }
            if (role.spot() > 0 || failed.isSpot(role)) {
                filters.add(GangRequirements.filter(role, true, spot));
            }
            return new Places(filters, nodes);
        }
    }

    private static MemoryGrowth grows(String role, long from, long to) {
        return new MemoryGrowth(
                to,
                "memory of role %s grows from %s to %s"
                        .formatted(role, Words.bytes(from), Words.bytes(to)));
    }

    private static MemoryGrowth no(String role, String why) {
        return new MemoryGrowth(0, "memory of role %s cannot grow: %s".formatted(role, why));
    }

    /** In whole mebibytes. */
    private static long times(long bytes, int thousandths) {
        long most = Long.MAX_VALUE / 2;
        long kilo = bytes / 1_000 + 1;
        if (kilo > most / thousandths) {
            return most;
        }
        long exact = bytes / 1_000 * thousandths + (bytes % 1_000 * thousandths + 999) / 1_000;
        return Math.ceilDiv(exact, MEBI) * MEBI;
    }

    private static @Nullable Bound least(@Nullable Bound one, @Nullable Bound other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return other.bytes() < one.bytes() ? other : one;
    }

    private static @Nullable Bound ofRule(Action.GrowMemory rule) {
        return rule.isBounded()
                ? new Bound(
                        rule.max(), "its rule allows at most %s".formatted(Words.bytes(rule.max())))
                : null;
    }

    /** What the other pods leave of what all pods may use together. */
    private static @Nullable Bound ofJob(JobSpec spec, JobSpec.Role role) {
        long all = spec.work().limits().get(Memory.RESOURCE);
        var memory = role.pod().memory();
        if (all == 0 || memory == null) {
            return null;
        }
        long others = 0;
        for (var other : spec.roles()) {
            if (!other.name().equals(role.name())) {
                long each = other.demand().get(Memory.RESOURCE);
                others = Wide.sum(others, Wide.product(each, other.replicas()));
            }
        }
        long each = Math.max(0, all - others) / role.replicas();
        return new Bound(
                memory.most(each),
                "resourceLimits allow %s for all pods together, which leaves %s %s"
                        .formatted(Words.bytes(all), asking(memory), left(memory, each)));
    }

    /** What needs the room. */
    private static String asking(Memory memory) {
        return memory.request() == null ? "it" : "its request";
    }

    /** Beside what else runs in its pod. */
    private static String left(Memory memory, long ofPod) {
        return Words.bytes(Math.max(0, ofPod - memory.requests().besides()));
    }

    private static @Nullable Bound ofNodes(JobSpec.Role role, Places places) {
        Bound bound = null;
        for (var filter : places.filters()) {
            bound = least(bound, ofNodes(role, filter, places.nodes()));
        }
        return bound;
    }

    /**
     * The largest node that takes its pod now; where none does, the largest of those that would:
     * what is kept off nodes by their state or by others comes to an end, and memory that grew
     * stays. Null: the pool has no node of its kind.
     */
    private static @Nullable Bound ofNodes(
            JobSpec.Role role, NodeFilter filter, List<NodeRoom> nodes) {
        var now = largest(role, nodes, room -> takes(role, filter, room), NodeRoom::left);
        if (now != null) {
            return now;
        }
        for (var wouldTake : whoWould(role, filter)) {
            var later = largest(role, nodes, wouldTake, room -> room.node().allocatable());
            if (later != null) {
                return later;
            }
        }
        return null;
    }

    private static boolean takes(JobSpec.Role role, NodeFilter filter, NodeRoom room) {
        return filter.accepts(room.node()) && role.demand().timesIn(room.left()) > 0;
    }

    /** The likeliest first: taints that are not of the node's state as a rule stay. */
    private static List<Predicate<NodeRoom>> whoWould(JobSpec.Role role, NodeFilter filter) {
        Predicate<NodeRoom> isOfKind = room -> filter.isOfKind(room.node());
        Predicate<NodeRoom> isLarge = room -> role.demand().timesIn(room.node().allocatable()) > 0;
        Predicate<NodeRoom> isKeptOffByState = room -> filter.isKeptOffByStateAlone(room.node());
        return List.of(
                isOfKind.and(isLarge).and(isKeptOffByState), isOfKind.and(isLarge), isOfKind);
    }

    private static @Nullable Bound largest(
            JobSpec.Role role,
            List<NodeRoom> nodes,
            Predicate<NodeRoom> which,
            Function<NodeRoom, Amounts> room) {
        var memory = role.pod().memory();
        Bound largest = null;
        for (var node : memory == null ? List.<NodeRoom>of() : nodes) {
            if (memory != null && which.test(node)) {
                long left = room.apply(node).get(Memory.RESOURCE);
                long most = memory.most(left);
                if (largest == null || most > largest.bytes()) {
                    largest =
                            new Bound(
                                    most,
                                    "the largest node that takes its pods, %s, has %s for %s"
                                            .formatted(
                                                    node.node().name(),
                                                    left(memory, left),
                                                    asking(memory)));
                }
            }
        }
        return largest;
    }
}
