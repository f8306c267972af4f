package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.Named;
import dev.muster.coordinator.core.model.Queue;
import java.time.Duration;

/** What is published of a queue. */
public final class QueueStates {
    /** From a change of what is told of a queue until it is told: so long more of it gathers. */
    public static final Duration GATHER = Duration.ofSeconds(1);

    private QueueStates() {}

    /** What its jobs are or use has changed: once that has gathered, all is published. */
    public static void tell(Tables tables, String queue) {
        tables.wakings.once(Alarm.Kind.QUEUE, new Named(queue), tables.now().plus(GATHER));
    }

    public static Effect.QueueState of(Tables tables, Queue queue) {
        var counts = tables.counts(queue.name());
        var used = tables.ledger.account(queue.name()).used();
        return new Effect.QueueState(
                queue,
                counts.waiting(),
                counts.running(),
                tables.backlog.size(queue.name()),
                tables.backlog.oldest(queue.name()),
                used);
    }
}
