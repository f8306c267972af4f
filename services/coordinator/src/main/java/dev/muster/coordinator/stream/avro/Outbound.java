package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.ref;
import static dev.muster.coordinator.stream.avro.Fields.same;
import static dev.muster.coordinator.stream.avro.Fields.sameOrNull;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Fault;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.schemas.Topics;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.Problem;
import dev.muster.v1.RequestResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The core's effects of one inbox record as records of the contract, numbered in their order. */
public final class Outbound {
    private final Origin origin;
    private final Envelopes envelopes;
    private final OutboundJobs jobs;
    private final OutboundDecisions decisions;
    private final OutboundQueues queues;
    private final QueueReasons before;

    /** By queue: what held for all of it when it was last told; empty: nothing. */
    private final Map<String, Optional<WaitReason>> told = new HashMap<>();

    /**
     * @param at the pool's time
     * @param before the inbox record
     */
    public Outbound(Origin origin, Instant at, Submissions submissions, QueueReasons before) {
        this.origin = origin;
        envelopes = new Envelopes(origin, at);
        jobs = new OutboundJobs(origin, envelopes, submissions);
        decisions = new OutboundDecisions(origin, at, envelopes);
        queues = new OutboundQueues(origin, envelopes);
        this.before = before;
    }

    /**
     * What is to be published, in order; nothing for what concerns the shell alone.
     *
     * @throws IllegalStateException for a plan whose job's submission is not known
     */
    public List<Output> records(Step step) {
        var outputs = new ArrayList<Output>();
        for (int i = 0; i < step.effects().size(); i++) {
            outputs.addAll(records(step.effects().get(i), by(step, i)));
        }
        return outputs;
    }

    /** The same of an effect that did not come of the record itself. */
    List<Output> records(Effect effect) {
        return records(effect, null);
    }

    /** Who asked for a move, of this job alone or of many; null: nobody did. */
    private @Nullable String by(Step step, int index) {
        return step.own().has(index) && step.effects().get(index) instanceof Effect.Moved moved
                ? origin.by(ref(moved.job()))
                : step.askers().get(index);
    }

    private List<Output> records(Effect effect, @Nullable String by) {
        return switch (effect) {
            case Effect.Answer answer -> List.of(answer(answer));
            case Effect.BulkDone done -> List.of(done(done));
            case Effect.RunPlan plan -> List.of(jobs.plan(plan));
            case Effect.StopPlan plan -> List.of(jobs.plan(plan));
            case Effect.GonePlan plan -> List.of(jobs.plan(plan));
            case Effect.Status status -> List.of(jobs.status(status));
            case Effect.Moved moved -> List.of(jobs.event(moved, by));
            case Effect.RankEnded ended -> List.of(jobs.event(ended));
            case Effect.RankPlaced placed -> List.of(jobs.event(placed));
            case Effect.Scaled scaled -> List.of(jobs.event(scaled));
            case Effect.CheckpointTold told -> List.of(jobs.event(told));
            case Effect.Started started -> List.of(decisions.started(started));
            case Effect.Waits waits -> List.of(decisions.waits(waits));
            case Effect.Held held -> List.of(decisions.held(held));
            case Effect.Preempted preempted -> List.of(decisions.preempted(preempted));
            case Effect.TakenBack back -> List.of(decisions.takenBack(back));
            case Effect.QueueState state ->
                    isNews(state.queue())
                            ? List.of(queues.queue(state), decisions.queue(state.queue()))
                            : List.of(queues.queue(state));
            case Effect.QueueDeleted(var name) -> List.of(new Output(Topics.QUEUES, name, null));
            case Effect.PoolState pool -> List.of(queues.pool(pool));
            case Effect.DropSpec _, Effect.Unbelieved _ -> List.of();
            case Effect.Forget(var job) ->
                    List.of(
                            new Output(Topics.JOB_STATUS, job.toString(), null),
                            new Output(Topics.JOB_PLANS, job.toString(), null));
        };
    }

    private Output answer(Effect.Answer answer) {
        var request = answer.request();
        var job = answer.job();
        var fault = answer.fault();
        var envelope = job == null ? envelopes.next() : envelopes.about(job);
        var result =
                RequestResult.newBuilder()
                        .setEnvelope(envelope.setRequestId(request.id()).build())
                        .setOutcome(same(Outcome.class, answer.outcome()))
                        .setJob(job == null ? null : ref(job))
                        .setPhase(sameOrNull(Phase.class, answer.phase()))
                        .setProblems(fault == null ? List.of() : List.of(problem(fault)))
                        .setMessage(answer.message())
                        .build();
        return new Output(Topics.REQUEST_RESULTS, request.key(), result);
    }

    private static Problem problem(Fault fault) {
        return new Problem(fault.path(), fault.given(), fault.message());
    }

    /** Another reason holds for the whole queue, or none any more: the core changes no other. */
    private boolean isNews(Queue queue) {
        var now = Optional.ofNullable(queue.reason());
        var last = told.put(queue.name(), now);
        var known = last == null ? Optional.ofNullable(before.of(queue.name())) : last;
        return !known.equals(now);
    }

    private static Map<String, Long> counts(Bulk.Counts counts) {
        var byName = new TreeMap<String, Long>();
        byName.put("meant", (long) counts.meant());
        byName.put("changed", (long) counts.changed());
        if (counts.nodes() > 0) {
            byName.put("nodes", (long) counts.nodes());
        }
        return byName;
    }

    private Output done(Effect.BulkDone done) {
        var request = done.request();
        var result =
                RequestResult.newBuilder()
                        .setEnvelope(envelopes.next().setRequestId(request.id()).build())
                        .setOutcome(Outcome.DONE)
                        .setCounts(counts(done.counts()))
                        .build();
        return new Output(Topics.REQUEST_RESULTS, request.key(), result);
    }
}
