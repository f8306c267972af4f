package dev.muster.coordinator.stream.avro;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.schemas.EnvelopeIds;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobStatus;
import dev.muster.v1.JobTimes;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.RequestResult;
import dev.muster.v1.RestartCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is said to whoever sent a request that is put aside: that it is refused. A submission is
 * said to stand so, too, as its name would stay taken otherwise.
 */
final class ParkedRequest {
    private static final String REASON = "Parked";

    /** Of what went wrong; all of it is kept with the record. */
    private static final int MOST_WORDS = 1000;

    private final Origin origin;
    private final Envelopes envelopes;
    private final Instant at;
    private final String message;

    ParkedRequest(Origin origin, Envelopes envelopes, Instant at, String error) {
        this.origin = origin;
        this.envelopes = envelopes;
        this.at = at;
        this.message =
                "it could not be taken in and was put aside: "
                        + error.substring(0, Math.min(error.length(), MOST_WORDS));
    }

    /**
     * Nothing of a submission that the pool has taken in before: it came again.
     *
     * @param isKnown which submissions it has
     */
    List<Output> answers(InboxEvent in, Predicate<JobId> isKnown) {
        if (EnvelopeIds.tooLong(in.getEnvelope()) != null) {
            return List.of();
        }
        var job = job(in);
        boolean submits = in.getKind() == InboxKind.JOB_SUBMITTED;
        if (submits && job != null && isKnown.test(job)) {
            return List.of();
        }
        var outputs = new ArrayList<Output>();
        if (submits && job != null) {
            outputs.add(status(job, in));
        }
        if (in.getRequestKey() != null && in.getEnvelope().getRequestId() != null) {
            outputs.add(answer(job, submits, in.getRequestKey(), in));
        }
        return outputs;
    }

    /** Null: it speaks of none, or of none that there can be. */
    private static @Nullable JobId job(InboxEvent in) {
        try {
            return in.getJob() == null ? null : Fields.job(in.getJob());
        } catch (UnusableEventException e) {
            return null;
        }
    }

    private Output status(JobId job, InboxEvent in) {
        var submitted = in.getJobSubmitted();
        var value =
                JobStatus.newBuilder()
                        .setEnvelope(envelopes.about(job, 0))
                        .setJob(Fields.ref(job))
                        .setPhase(Phase.REFUSED)
                        .setReason(REASON)
                        .setMessage(message)
                        .setAttempt(0)
                        .setQueue(submitted == null ? "" : submitted.getSpec().getQueue())
                        .setPool(origin.pool())
                        .setRoles(List.of())
                        .setRestarts(new RestartCounts(0, 0))
                        .setTimes(JobTimes.newBuilder().setSubmitted(at).setFinished(at).build())
                        .setSeq(0)
                        .build();
        return new Output(Topics.JOB_STATUS, job.toString(), value);
    }

    private Output answer(@Nullable JobId job, boolean submits, String key, InboxEvent in) {
        var envelope = job == null ? envelopes.next() : envelopes.about(job);
        var value =
                RequestResult.newBuilder()
                        .setEnvelope(envelope.setRequestId(in.getEnvelope().getRequestId()).build())
                        .setOutcome(Outcome.REFUSED)
                        .setJob(job == null ? null : Fields.ref(job))
                        .setPhase(submits ? Phase.REFUSED : null)
                        .setMessage(message)
                        .build();
        return new Output(Topics.REQUEST_RESULTS, key, value);
    }
}
