package dev.muster.admission.stream;

import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.UnreadableRecordException;
import java.time.Instant;

/** Reads one kind of record, asks the rules, and writes down what they say. */
interface RecordHandler {
    /**
     * The line in which a record stands that must wait, and behind which others do: its key's, or
     * one of those that the records of its key have.
     *
     * @throws RegistryUnavailableException when that is not known yet
     */
    default String line(Arrival arrival) {
        return arrival.key();
    }

    /**
     * Says what becomes of one arrival, and changes nothing itself.
     *
     * @throws UnreadableRecordException when it is no record of this kind: it is parked
     * @throws RegistryUnavailableException when the registry is needed and does not answer: it is
     *     tried again
     */
    Step handle(Arrival arrival, Instant now);
}
