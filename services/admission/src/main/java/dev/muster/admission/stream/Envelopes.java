package dev.muster.admission.stream;

import dev.muster.v1.Envelope;
import java.time.Instant;

/** What admission says of itself on every record it makes. */
final class Envelopes {
    static final String ACTOR = "admission";

    private Envelopes() {}

    /** The id derives from the arrival, so that it is the same whenever this is done again. */
    static Envelope.Builder of(Arrival arrival, String what, Instant now) {
        return Envelope.newBuilder()
                .setId(
                        "%s/%d-%d/%s"
                                .formatted(
                                        arrival.topic(),
                                        arrival.partition(),
                                        arrival.offset(),
                                        what))
                .setAt(now)
                .setActor(ACTOR);
    }

    /** Of what answers or follows from a request. */
    static Envelope.Builder causedBy(Arrival arrival, Envelope request, String what, Instant now) {
        return of(arrival, what, now)
                .setCause(request.getId())
                .setRequestId(request.getRequestId());
    }
}
