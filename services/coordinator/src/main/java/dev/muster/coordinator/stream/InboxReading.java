package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.stream.avro.Inbound;
import dev.muster.coordinator.stream.avro.Submissions;
import dev.muster.coordinator.stream.avro.UnknownKindException;
import dev.muster.v1.InboxEvent;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** Inbox records as what a pool hears. */
final class InboxReading {
    private final Wire wire;
    private final Inbound inbound;

    InboxReading(Wire wire, Submissions submissions) {
        this.wire = wire;
        inbound = new Inbound(submissions);
    }

    /** What a record turned out to be. */
    sealed interface Read {
        /** What the pool can be told of. */
        record Known(InboxEvent message, Event event) implements Read {}

        /**
         * What is to be parked, since no version will make an event of it.
         *
         * @param message null: it cannot be read
         */
        record Parked(@Nullable InboxEvent message, String why) implements Read {}

        /** Of a kind that this version does not know. */
        record Unknown() implements Read {}
    }

    Read read(Received in) {
        var value = in.record().value();
        InboxEvent message;
        try {
            message = wire.event(value == null ? new byte[0] : value);
        } catch (SerializationException e) {
            return new Read.Parked(null, reason(e));
        }
        try {
            return new Read.Known(message, inbound.event(message));
        } catch (UnknownKindException e) {
            return new Read.Unknown();
        } catch (Wire.GaveUpException e) {
            throw e; // Of the registry, which says nothing of the record.
        } catch (RuntimeException e) {
            return new Read.Parked(message, reason(e));
        }
    }

    static String reason(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
