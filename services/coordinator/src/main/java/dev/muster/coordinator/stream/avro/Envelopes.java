package dev.muster.coordinator.stream.avro;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.v1.Envelope;
import java.time.Instant;

/** Numbers the outputs of one inbox record. */
final class Envelopes {
    static final String ACTOR = "coordinator";

    private final Origin origin;
    private final Instant at;
    private int next;

    Envelopes(Origin origin, Instant at) {
        this.origin = origin;
        this.at = at;
    }

    Envelope.Builder next() {
        return Envelope.newBuilder()
                .setId("%d-%d/%d".formatted(origin.partition(), origin.offset(), next++))
                .setAt(at)
                .setActor(ACTOR)
                .setCause(origin.cause());
    }

    Envelope plain() {
        return next().build();
    }

    Envelope.Builder about(JobId job) {
        return next().setJobUid(job.uid().toString());
    }

    Envelope about(JobId job, int attempt) {
        return about(job).setAttempt(attempt).build();
    }

    Envelope event(JobId job, int attempt, long seq) {
        return about(job).setAttempt(attempt).setSeq(seq).build();
    }
}
