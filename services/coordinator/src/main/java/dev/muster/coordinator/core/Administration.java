package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Event.Request;
import org.jspecify.annotations.Nullable;

/** Queues and the pool's own settings, as operators put them. */
final class Administration {
    static final int LARGEST_WEIGHT = 1_000_000;

    private final Tables tables;
    private final Journal journal;

    Administration(Tables tables, Journal journal) {
        this.tables = tables;
        this.journal = journal;
    }

    void on(Event.QueuePut put) {
        var spec = put.spec();
        if (spec.weight() < 1 || spec.weight() > LARGEST_WEIGHT) {
            answer(
                    put.request(),
                    Outcome.REFUSED,
                    "weight must be 1 to %d, was %d".formatted(LARGEST_WEIGHT, spec.weight()));
            return;
        }
        if (spec.maxWaiting() < 0) {
            answer(
                    put.request(),
                    Outcome.REFUSED,
                    "maxWaiting must not be negative, was " + spec.maxWaiting());
            return;
        }
        var known = tables.queue(put.name());
        var queue = known == null ? new Queue(put.name(), spec, 0, null) : known.with(spec);
        tables.put(queue);
        var counts = tables.counts(queue.name());
        journal.publish(new Effect.QueueState(queue, counts.waiting(), counts.running()));
        answer(put.request(), Outcome.ACCEPTED, "");
        tables.startsAreDue();
    }

    void on(Event.QueueDelete delete) {
        var queue = tables.queue(delete.name());
        if (queue == null) {
            answer(delete.request(), Outcome.NOT_FOUND, "no queue " + delete.name());
            return;
        }
        var counts = tables.counts(queue.name());
        int living = counts.waiting() + counts.running();
        if (living > 0) {
            answer(
                    delete.request(),
                    Outcome.REFUSED,
                    "queue %s has %d jobs".formatted(queue.name(), living));
            return;
        }
        tables.remove(queue);
        tables.silence(Alarm.Kind.QUEUE, queue.name());
        journal.publish(new Effect.QueueDeleted(queue.name()));
        answer(delete.request(), Outcome.ACCEPTED, "");
    }

    void on(Event.PoolPut put) {
        var name = tables.settings().name();
        if (name != null && !name.equals(put.name())) {
            answer(
                    put.request(),
                    Outcome.CONFLICT,
                    "this number is pool %s's and never another's".formatted(name));
            return;
        }
        tables.put(tables.settings().named(put.name(), put.spec()));
        journal.publish(new Effect.PoolState(put.name(), put.spec()));
        answer(put.request(), Outcome.ACCEPTED, "");
    }

    private void answer(@Nullable Request request, Outcome outcome, String message) {
        if (request != null) {
            journal.publish(new Effect.Answer(request, outcome, null, null, message));
        }
    }
}
