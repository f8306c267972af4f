package dev.muster.coordinator.core.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job is not started.
 *
 * @param scope what the code speaks of: a resource, a role, a queue
 * @param shortage the numbers, where the code has any
 * @param since the pool's time from which code and scope hold
 * @param remedy what would change it, one sentence
 * @param nearest nodes that nearly fit
 */
public record WaitReason(
        Code code,
        String scope,
        @Nullable Shortage shortage,
        Instant since,
        String remedy,
        String message,
        List<Lack> nearest) {
    /**
     * A node that nearly fits.
     *
     * @param lacks what it has not, one sentence
     */
    public record Lack(String node, String lacks) {}

    public WaitReason {
        nearest = List.copyOf(nearest);
    }

    /** One without numbers, of which no node is said to nearly fit. */
    public static WaitReason told(
            Code code, String scope, Instant since, String remedy, String message) {
        return new WaitReason(code, scope, null, since, remedy, message, List.of());
    }

    /** Nothing of its queue passes this head. */
    public static WaitReason behind(JobId head, Instant since) {
        return told(
                Code.BEHIND_HEAD,
                head.toString(),
                since,
                "the start of " + head.fullName() + ", or backfill",
                "the queue has no backfill and its head cannot start");
    }

    public enum Code {
        QUEUE_PAUSED("QueuePaused"),
        HELD("Held"),
        WAITING_FOR_DEPENDENCY("WaitingForDependency"),
        QUOTA_EXCEEDED("QuotaExceeded"),
        EXCEEDS_MAX_QUOTA("ExceedsMaxQuota"),
        INSUFFICIENT_CAPACITY("InsufficientCapacity"),
        NO_MATCHING_NODE("NoMatchingNode"),
        TOPOLOGY_UNSATISFIED("TopologyUnsatisfied"),

        /** The search, which is bounded, found no place for all; there may be one. */
        PLACEMENT_NOT_FOUND("PlacementNotFound"),
        BEHIND_HEAD("BehindHead"),
        BACKING_OFF("BackingOff"),
        PREEMPTED("Preempted"),

        /** It was resumed before it was suspended whole. */
        RESUMED("Resumed"),
        ROOM_LOST("RoomLost"),
        NODE_LOST("NodeLost"),
        NODE_GOING("NodeGoing"),
        NOT_SCHEDULED("NotScheduled"),
        CONTAINER_WAITING("ContainerWaiting"),
        EARLIER_PODS("EarlierPods"),
        POOL_UNAVAILABLE("PoolUnavailable");

        private final String label;

        Code(String label) {
            this.label = label;
        }

        /** As users read it. */
        public String label() {
            return label;
        }
    }

    /**
     * Of the scope's resource, in its unit (cpu in milli, everything else whole).
     *
     * @param have what there is for this job now; negative: so much has to come free before there
     *     is anything, as where a quota was lowered below what is used
     */
    public record Shortage(long need, long have) {
        public long shortBy() {
            return Math.max(0, Wide.difference(need, have));
        }
    }

    /** Only a change of code or scope is news; numbers move all the time. */
    public boolean isNewsAfter(@Nullable WaitReason before) {
        return gist().isNewsAfter(before);
    }

    /** Nobody of a queue starts, whoever is in it. */
    public boolean isOfDoors() {
        return code == Code.QUEUE_PAUSED || code == Code.POOL_UNAVAILABLE;
    }

    /** A backend said it of this group of pods. */
    public boolean isOfGroup(String group) {
        return code == Code.NOT_SCHEDULED && scope.equals(group);
    }

    public Gist gist() {
        return new Gist(code, scope);
    }

    /** What makes it another reason: the rest are numbers and words. */
    public record Gist(Code code, String scope) {
        public boolean isNewsAfter(@Nullable WaitReason before) {
            return before == null || before.code != code || !before.scope.equals(scope);
        }
    }

    public WaitReason saying(String message) {
        return new WaitReason(code, scope, shortage, since, remedy, message, nearest);
    }

    /** The room is there, and another's. */
    public WaitReason keptFor(JobId holder) {
        return new WaitReason(
                code,
                scope,
                shortage,
                since,
                "that %s, which room is kept for, starts or leaves".formatted(holder.fullName()),
                "%s; what it lacks is there and kept for %s".formatted(message, holder.fullName()),
                nearest);
    }

    public WaitReason since(Instant since) {
        return new WaitReason(code, scope, shortage, since, remedy, message, nearest);
    }
}
