package dev.muster.watcher.core;

import dev.muster.watcher.core.WatchedPod.PodName;
import java.time.Duration;

/** What a shard hears. */
public sealed interface ShardEvent {
    /** A pod of the shard's namespaces was added or changed. */
    record PodChanged(WatchedPod pod) implements ShardEvent {}

    /** A pod of the shard's namespaces is no longer there. */
    record PodDeleted(PodName pod) implements ShardEvent {}

    /** A node was added or changed. */
    record NodeChanged(NodeReport node) implements ShardEvent {}

    /** A node is no longer there. */
    record NodeDeleted(String node) implements ShardEvent {}

    /**
     * A node's lease is there, or was renewed.
     *
     * @param renewal when, by the node's clock
     */
    record NodeRenewed(String node, String renewal, Duration duration) implements ShardEvent {}

    /** A node's lease is no longer there. */
    record NodeLeaseDeleted(String node) implements ShardEvent {}

    /** A ResourceQuota of the shard's namespaces was added or changed. */
    record QuotaChanged(Quota quota) implements ShardEvent {}

    /** A ResourceQuota of the shard's namespaces is no longer there. */
    record QuotaDeleted(String namespace, String name) implements ShardEvent {}

    /** A group of pods in the shard's namespaces was added or changed. */
    record GroupChanged(GroupReport group) implements ShardEvent {}

    /** A group of pods in the shard's namespaces is no longer there. */
    record GroupDeleted(String namespace, String name) implements ShardEvent {}

    /** A request in the shard's namespaces to start a container again was given up. */
    record RestartFailed(FailedRestart failed) implements ShardEvent {}

    /** A request in the shard's namespaces to start a container again is no longer there. */
    record RestartRequestDeleted(String namespace, String name) implements ShardEvent {}

    /** What is listed on its own: whatever is not there once it was is there no more. */
    enum Kind {
        PODS,
        NODES,
        QUOTAS
    }

    /**
     * All objects of the kind are listed from scratch from here on, and each that is there is heard
     * of again before {@link Listed}.
     */
    record ListBegins(Kind kind) implements ShardEvent {}

    /**
     * All objects of the kind were listed, for the first time or again, and what the list showed
     * was heard.
     */
    record Listed(Kind kind) implements ShardEvent {}

    /** The pools are now these. */
    record PoolsChanged(Pools pools) implements ShardEvent {}

    /** What was heard until now may be past: once the shard is ours, only later lists are told. */
    record Outdated() implements ShardEvent {}

    /**
     * The shard is ours, since the Lease write of resource version {@code epoch}. What was heard
     * before may be older than what the last holder told: all was {@link Outdated} since that fell
     * silent.
     */
    record LeaseGained(long epoch) implements ShardEvent {}

    /** The shard is not ours any more. */
    record LeaseLost() implements ShardEvent {}

    /** Something that the pool was to be told did not reach its inbox. */
    record SendFailed(String pool) implements ShardEvent {}

    /** All that the pool was told before its last {@link Effect.Confirm} is in the log. */
    record Confirmed(String pool) implements ShardEvent {}

    /** Time has passed. */
    record Tick() implements ShardEvent {}
}
