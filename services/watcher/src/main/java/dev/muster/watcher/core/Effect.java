package dev.muster.watcher.core;

/** What is to be done, in the order given. */
public sealed interface Effect {
    /** Tell the pool. */
    record Publish(Pool pool, Report report) implements Effect {}

    /**
     * Wait until all that was told so far is in the log or has failed; say what failed, then {@link
     * ShardEvent.Confirmed}.
     */
    record Confirm() implements Effect {}

    /** Tell the operators that two pools want the same node, which {@code taker} has. */
    record WarnOfOverlap(String taker, String other, String node) implements Effect {}
}
