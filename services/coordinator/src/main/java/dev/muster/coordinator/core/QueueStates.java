package dev.muster.coordinator.core;

/** What is published of a queue. */
final class QueueStates {
    private QueueStates() {}

    static Effect.QueueState of(Tables tables, Queue queue) {
        var counts = tables.counts(queue.name());
        var used = tables.ledger.account(queue.name()).used();
        return new Effect.QueueState(queue, counts.waiting(), counts.running(), used);
    }
}
