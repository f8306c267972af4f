package dev.muster.admission.stream;

import dev.muster.admission.core.Problem;
import dev.muster.schemas.EnvelopeIds;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.Envelope;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What admission says of itself on every record it makes. */
final class Envelopes {
    static final String ACTOR = "admission";

    private Envelopes() {}

    /** What is wrong with what it says of itself; null: nothing. */
    static @Nullable Problem problem(Envelope envelope) {
        var path = EnvelopeIds.tooLong(envelope);
        return path == null ? null : new Problem(path, "", EnvelopeIds.RULE);
    }

    /**
     * What cannot be answered is for operators: an answer has the same ids.
     *
     * @throws UnreadableRecordException when there is something wrong with its ids
     */
    static void check(Envelope envelope) {
        var problem = problem(envelope);
        if (problem != null) {
            throw new UnreadableRecordException(problem.path() + " " + problem.message());
        }
    }

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
