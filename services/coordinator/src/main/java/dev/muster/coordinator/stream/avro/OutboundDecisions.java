package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.ref;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.schemas.Topics;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.Envelope;
import dev.muster.v1.ParkedDecision;
import dev.muster.v1.Placement;
import dev.muster.v1.StartedDecision;
import java.time.Instant;
import java.util.Map;

/** Why it was decided so. */
final class OutboundDecisions {
    /** How many nodes a decision names. */
    private static final int SHOWN_NODES = 5;

    private final Origin origin;
    private final Instant at;
    private final Envelopes envelopes;

    /**
     * @param at the pool's time
     */
    OutboundDecisions(Origin origin, Instant at, Envelopes envelopes) {
        this.origin = origin;
        this.at = at;
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

    Output held(Effect.Held held) {
        var value =
                of(DecisionKind.HELD, held.job(), held.queue())
                        .setReason(because("Held", heldOn(held)))
                        .build();
        return new Output(Topics.DECISIONS, held.queue(), value);
    }

    private static String heldOn(Effect.Held held) {
        var nodes = held.rooms().keySet().stream().limit(SHOWN_NODES).toList();
        int more = held.rooms().size() - nodes.size();
        return "the next room is its on %s%s"
                .formatted(
                        String.join(", ", nodes), more == 0 ? "" : " and %d more".formatted(more));
    }

    Output preempted(Effect.Preempted preempted) {
        var value =
                of(DecisionKind.PREEMPTED, preempted.job(), preempted.queue())
                        .setReason(because("Preempted", preempted.message()))
                        .setPreemptedFor(ref(preempted.by()))
                        .build();
        return new Output(Topics.DECISIONS, preempted.queue(), value);
    }

    private dev.muster.v1.WaitReason because(String code, String message) {
        return dev.muster.v1.WaitReason.newBuilder()
                .setCode(code)
                .setMessage(message)
                .setSince(at)
                .build();
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
