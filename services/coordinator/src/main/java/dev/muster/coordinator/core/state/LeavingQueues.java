package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.Named;

/** Queues that are to be deleted go with their last job. */
public final class LeavingQueues {
    private LeavingQueues() {}

    public static void deleteIfEmpty(Tables tables, Journal journal, String name) {
        var queue = tables.queue(name);
        if (queue != null && queue.leaving() && tables.counts(name).all() == 0) {
            tables.remove(queue);
            tables.wakings.none(Alarm.Kind.QUEUE, new Named(name));
            tables.wakings.none(Alarm.Kind.RESERVE, new Named(name));
            tables.startsAreDue(); // What it was guaranteed others may use.
            journal.publish(new Effect.QueueDeleted(name));
        }
    }
}
