package dev.muster.admission.stream;

import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.schemas.serde.UnreadableRecordException;
import java.time.Instant;

/** Reads one kind of record, asks the rules, and writes down what they say. */
interface RecordHandler {
    /**
     * Says what becomes of one arrival, and changes nothing itself.
     *
     * @throws UnreadableRecordException when it is no record of this kind: it is parked
     * @throws RegistryUnavailableException when the registry is needed and does not answer: it is
     *     tried again
     */
    Step handle(Arrival arrival, Instant now);
}
