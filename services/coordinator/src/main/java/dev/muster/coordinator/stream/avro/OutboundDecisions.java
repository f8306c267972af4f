package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.ref;

import dev.muster.coordinator.core.Effect;
import dev.muster.coordinator.core.JobId;
import dev.muster.coordinator.core.Queue;
import dev.muster.coordinator.core.WaitReason;
import dev.muster.schemas.Topics;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.Envelope;
import dev.muster.v1.ParkedDecision;
import dev.muster.v1.Placement;
import dev.muster.v1.StartedDecision;
import java.util.Map;

/** Why it was decided so. */
final class OutboundDecisions {
    private final Origin origin;
    private final Envelopes envelopes;

    OutboundDecisions(Origin origin, Envelopes envelopes) {
        this.origin = origin;
        this.envelopes = envelopes;
    }

    Output started(Effect.Started started) {
        var placements =
                started.pods().stream()
                        .map(pod ->
                                new Placement(pod.rank().role(), pod.rank().index(), pod.node()))
                        .toList();
        var value =
                of(DecisionKind.STARTED, started.job(), started.queue())
                        .setStarted(
                                StartedDecision.newBuilder()
                                        .setPlacements(placements)
                                        .setCredits(Map.copyOf(started.credits()))
                                        .setPassed(started.passed())
                                        .build())
                        .build();
        return new Output(Topics.DECISIONS, started.queue(), value);
    }

    Output waits(Effect.Waits waits) {
        return because(DecisionKind.WAITS, waits.job(), waits.queue(), waits.reason());
    }

    Output takenBack(Effect.TakenBack back) {
        return because(DecisionKind.TAKEN_BACK, back.job(), back.queue(), back.reason());
    }

    private Output because(DecisionKind kind, JobId job, String queue, WaitReason reason) {
        var value = of(kind, job, queue).setReason(OutboundReasons.reason(reason)).build();
        return new Output(Topics.DECISIONS, queue, value);
    }

    /** What holds for all jobs of the queue from now on. */
    Output queue(Queue queue) {
        var reason = queue.reason();
        var value =
                of(DecisionKind.QUEUE_STATE, envelopes.plain(), queue.name())
                        .setReason(reason == null ? null : OutboundReasons.reason(reason))
                        .build();
        return new Output(Topics.DECISIONS, queue.name(), value);
    }

    private Decision.Builder of(DecisionKind kind, JobId job, String queue) {
        return of(kind, envelopes.about(job).build(), queue).setJob(ref(job));
    }

    private Decision.Builder of(DecisionKind kind, Envelope envelope, String queue) {
        return Decision.newBuilder()
                .setEnvelope(envelope)
                .setKind(kind)
                .setPool(origin.pool())
                .setQueue(queue);
    }

    /** It concerns no queue: its key is the pool. */
    Output parked(String error) {
        var value =
                of(DecisionKind.PARKED, envelopes.plain(), "")
                        .setParked(new ParkedDecision(origin.offset(), error))
                        .build();
        return new Output(Topics.DECISIONS, origin.pool(), value);
    }
}
