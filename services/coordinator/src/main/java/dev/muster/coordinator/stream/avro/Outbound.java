package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.ref;
import static dev.muster.coordinator.stream.avro.Fields.same;
import static dev.muster.coordinator.stream.avro.Fields.sameOrNull;

import dev.muster.coordinator.core.Effect;
import dev.muster.schemas.Topics;
import dev.muster.v1.Backend;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import dev.muster.v1.QueueSpec;
import dev.muster.v1.QueueState;
import dev.muster.v1.RequestResult;
import java.time.Instant;
import java.util.List;

/** The core's effects of one inbox record as records of the contract, numbered in their order. */
public final class Outbound {
    private final Origin origin;
    private final Envelopes envelopes;
    private final OutboundJobs jobs;
    private final OutboundDecisions decisions;

    /**
     * @param at the pool's time
     */
    public Outbound(Origin origin, Instant at, Submissions submissions) {
        this.origin = origin;
        envelopes = new Envelopes(origin, at);
        jobs = new OutboundJobs(origin, envelopes, submissions);
        decisions = new OutboundDecisions(origin, envelopes);
    }

    /**
     * What is to be published, in order; nothing for what concerns the shell alone.
     *
     * @throws IllegalStateException for a plan whose job's submission is not known
     */
    public List<Output> records(Effect effect) {
        return switch (effect) {
            case Effect.Answer answer -> List.of(answer(answer));
            case Effect.RunPlan plan -> List.of(jobs.plan(plan));
            case Effect.StopPlan plan -> List.of(jobs.plan(plan));
            case Effect.GonePlan plan -> List.of(jobs.plan(plan));
            case Effect.Status status -> List.of(jobs.status(status));
            case Effect.Moved moved -> List.of(jobs.event(moved));
            case Effect.RankEnded ended -> List.of(jobs.event(ended));
            case Effect.RankPlaced placed -> List.of(jobs.event(placed));
            case Effect.Started started -> List.of(decisions.started(started));
            case Effect.Waits waits -> List.of(decisions.waits(waits));
            case Effect.TakenBack back -> List.of(decisions.takenBack(back));
            case Effect.QueueState queue -> List.of(queue(queue));
            case Effect.QueueDeleted(var name) -> List.of(new Output(Topics.QUEUES, name, null));
            case Effect.PoolState pool -> List.of(pool(pool));
            case Effect.DropSpec _ -> List.of();
            case Effect.Forget(var job) ->
                    List.of(
                            new Output(Topics.JOB_STATUS, job.toString(), null),
                            new Output(Topics.JOB_PLANS, job.toString(), null));
        };
    }

    private Output answer(Effect.Answer answer) {
        var request = answer.request();
        var job = answer.job();
        var envelope = job == null ? envelopes.next() : envelopes.about(job);
        var result =
                RequestResult.newBuilder()
                        .setEnvelope(envelope.setRequestId(request.id()).build())
                        .setOutcome(same(Outcome.class, answer.outcome()))
                        .setJob(job == null ? null : ref(job))
                        .setPhase(sameOrNull(Phase.class, answer.phase()))
                        .setMessage(answer.message())
                        .build();
        return new Output(Topics.REQUEST_RESULTS, request.key(), result);
    }

    private Output queue(Effect.QueueState state) {
        var queue = state.queue();
        var spec = queue.spec();
        var reason = queue.reason();
        var value =
                QueueState.newBuilder()
                        .setEnvelope(envelopes.plain())
                        .setName(queue.name())
                        .setSpec(
                                QueueSpec.newBuilder()
                                        .setPool(origin.pool())
                                        .setWeight(spec.weight())
                                        .setPaused(spec.paused())
                                        .setBackfill(spec.backfill())
                                        .setMaxWaiting(spec.maxWaiting())
                                        .build())
                        .setWaiting(state.waiting())
                        .setRunning(state.running())
                        .setReason(reason == null ? null : OutboundReasons.reason(reason))
                        .build();
        return new Output(Topics.QUEUES, queue.name(), value);
    }

    private Output pool(Effect.PoolState state) {
        var value =
                PoolState.newBuilder()
                        .setEnvelope(envelopes.plain())
                        .setName(state.name())
                        .setNumber(origin.partition())
                        .setSpec(
                                PoolSpec.newBuilder()
                                        .setNumber(origin.partition())
                                        .setNodeSelector(state.spec().nodeSelector())
                                        .setBackend(Backend.NONE)
                                        .build())
                        .build();
        return new Output(Topics.POOLS, state.name(), value);
    }
}
