package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Queue;

/** What is published of a queue. */
public final class QueueStates {
    private QueueStates() {}

    public static Effect.QueueState of(Tables tables, Queue queue) {
        var counts = tables.counts(queue.name());
        var used = tables.ledger.account(queue.name()).used();
        return new Effect.QueueState(queue, counts.waiting(), counts.running(), used);
    }
}
