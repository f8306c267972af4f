package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.admission.core.Phase;
import dev.muster.admission.core.SettingsVerdict;
import dev.muster.admission.core.Verdict;
import dev.muster.admission.stream.Outgoing.Target;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobRequest;
import dev.muster.v1.Outcome;
import dev.muster.v1.RequestResult;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes answers. */
final class Results {
    private final Codec codec;

    Results(Codec codec) {
        this.codec = codec;
    }

    Outgoing of(Arrival arrival, JobRequest request, Verdict.Answer answer, Instant now) {
        var uid = answer.uid();
        var phase = answer.phase();
        var envelope =
                Envelopes.causedBy(arrival, request.getEnvelope(), "result", now).setJobUid(uid);
        return outgoing(
                arrival,
                RequestResult.newBuilder()
                        .setEnvelope(envelope.build())
                        .setOutcome(Outcome.valueOf(answer.outcome().name()))
                        .setJob(uid == null ? null : job(request, uid))
                        .setPhase(avro(phase))
                        .setProblems(JobMapping.toContract(answer.problems()))
                        .setMessage(answer.message())
                        .build());
    }

    Outgoing of(Arrival arrival, Envelope request, SettingsVerdict.Answer answer, Instant now) {
        return outgoing(
                arrival,
                RequestResult.newBuilder()
                        .setEnvelope(Envelopes.causedBy(arrival, request, "result", now).build())
                        .setOutcome(Outcome.valueOf(answer.outcome().name()))
                        .setProblems(JobMapping.toContract(answer.problems()))
                        .setMessage(answer.message())
                        .build());
    }

    static JobRef job(JobRequest request, String uid) {
        return new JobRef(request.getNamespace(), request.getName(), uid);
    }

    private static dev.muster.v1.@Nullable Phase avro(@Nullable Phase phase) {
        return phase == null ? null : dev.muster.v1.Phase.valueOf(phase.name());
    }

    private Outgoing outgoing(Arrival arrival, RequestResult result) {
        var key = arrival.key();
        return new Outgoing(
                new Target(
                        Topics.REQUEST_RESULTS.name(),
                        Partitions.ofKey(Topics.REQUEST_RESULTS, key),
                        key.getBytes(UTF_8)),
                codec.write(Topics.REQUEST_RESULTS, result));
    }
}
