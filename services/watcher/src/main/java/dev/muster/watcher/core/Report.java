package dev.muster.watcher.core;

import java.util.Map;

/** One thing that a pool is told. */
public sealed interface Report {
    /** A node of the pool as it is now. */
    record NodeSeen(NodeReport node) implements Report {}

    /**
     * The node left this pool.
     *
     * @param moved it is in the cluster still
     */
    record NodeReleased(String node, boolean moved) implements Report {}

    /** What pods without this pool's label use of a node, in this shard; replaces the last sum. */
    record OthersUsed(String node, Map<String, Long> used) implements Report {}

    /**
     * What a namespace's quotas allow at most, and what pods without this pool's label use of it,
     * or, where another quota leaves the pool less, as much as leaves it that; replaces what was
     * said of it before.
     */
    record QuotaSeen(String namespace, Map<String, Long> hard, Map<String, Long> othersUsed)
            implements Report {}

    /** No quota of the namespace holds for pods of ours any more. */
    record QuotaGone(String namespace) implements Report {}

    /** A pod of the pool as it is now. */
    record PodSeen(PodReport pod) implements Report {}

    /** A pod of the pool that is no longer there. */
    record PodGone(PodIdentity pod) implements Report {}

    /** A group of the pool's pods as its backend has it now. */
    record GroupSeen(GroupReport group) implements Report {}

    /** Whoever was asked to start a container of the pool's pods again has given it up. */
    record RestartFailed(FailedRestart failed) implements Report {}

    /** From here to the end of the same id all that there is in the shard is listed. */
    record SnapshotBegin(String id) implements Report {}

    /** All was listed: what was not is no longer there. */
    record SnapshotEnd(String id) implements Report {}

    /** The shard is watched. */
    record Alive() implements Report {}
}
