package dev.muster.watcher.core;

/** What is to be done, in the order given. */
public sealed interface Effect {
    /** Tell the pool. */
    record Publish(Pool pool, Report report) implements Effect {}

    /**
     * Say {@link ShardEvent.Confirmed} once all that this pool was told so far is in the log; or,
     * if some of it is not, {@link ShardEvent.SendFailed}.
     */
    record Confirm(String pool) implements Effect {}

    /** Tell the operators that two pools want the same node, which {@code taker} has. */
    record WarnOfOverlap(String taker, String other, String node) implements Effect {}
}
