package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Row;
import java.util.TreeMap;

/** What is published of queues is so, or is soon told anew. */
final class QueuePromises {
    private final TreeMap<String, Told> told = new TreeMap<>();

    private record Told(int waiting, int running, Amounts used) {
        static final Told NOTHING = new Told(0, 0, Amounts.NONE);

        static Told of(Effect.QueueState state) {
            return new Told(state.waiting(), state.running(), state.used());
        }
    }

    void hear(Effect.QueueState state) {
        told.put(state.queue().name(), Told.of(state));
    }

    void areKept(Play play) {
        for (var state : play.queueStates()) {
            var name = state.queue().name();
            var last = told.getOrDefault(name, Told.NOTHING);
            var alarm = Alarm.key(Alarm.Kind.QUEUE, name).id();
            if (!play.rows(Row.Table.ALARM).containsKey(alarm) && !Told.of(state).equals(last)) {
                throw new AssertionError("%s was told of %s".formatted(last, state));
            }
        }
    }
}
