package dev.muster.coordinator.history.replay;

import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.history.log.InboxRecord;
import dev.muster.coordinator.stream.avro.Output;
import dev.muster.v1.InboxEvent;
import java.util.List;

/** What a pool made of one inbox record. */
public sealed interface Heard {
    InboxRecord record();

    /**
     * It was taken in.
     *
     * @param outputs what was to be published, in order
     */
    record Taken(
            InboxRecord record, InboxEvent message, Event event, Step step, List<Output> outputs)
            implements Heard {}

    /** It was passed over, since the coordinator parked it. */
    record Parked(InboxRecord record) implements Heard {}

    /** It cannot be read here, or the rules fail at it: nothing comes after it. */
    record Unusable(InboxRecord record, String why) implements Heard {
        Finding.NotTaken finding() {
            return new Finding.NotTaken(record.offset(), why);
        }
    }
}
