package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.ref;
import static dev.muster.coordinator.stream.avro.Fields.same;
import static dev.muster.coordinator.stream.avro.Fields.sameOrNull;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Allowance;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Hooked;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Tally;
import dev.muster.coordinator.core.model.Throughput;
import dev.muster.schemas.Topics;
import dev.muster.schemas.contract.CheckpointId;
import dev.muster.v1.Backend;
import dev.muster.v1.CheckpointStage;
import dev.muster.v1.JobAutoscaling;
import dev.muster.v1.JobCheckpoint;
import dev.muster.v1.JobEvent;
import dev.muster.v1.JobEventKind;
import dev.muster.v1.JobHook;
import dev.muster.v1.JobMoved;
import dev.muster.v1.JobPlan;
import dev.muster.v1.JobScaling;
import dev.muster.v1.JobStatus;
import dev.muster.v1.JobTimes;
import dev.muster.v1.KeepPods;
import dev.muster.v1.Phase;
import dev.muster.v1.PlanKind;
import dev.muster.v1.RankEvent;
import dev.muster.v1.RestartBudget;
import dev.muster.v1.RestartCounts;
import dev.muster.v1.RoleStatus;
import dev.muster.v1.ScaleStage;
import dev.muster.v1.StopPlan;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is said about one job: its plan, where it stands, what happened to it. */
final class OutboundJobs {
    private final Origin origin;
    private final Envelopes envelopes;
    private final Submissions submissions;

    OutboundJobs(Origin origin, Envelopes envelopes, Submissions submissions) {
        this.origin = origin;
        this.envelopes = envelopes;
        this.submissions = submissions;
    }

    Output plan(Effect.RunPlan plan) {
        var submission = submissions.of(plan.job());
        if (submission == null) {
            throw new IllegalStateException("no submission is kept of " + plan.job());
        }
        return plan(
                plan,
                of(plan, plan.queue())
                        .setKind(PlanKind.RUN)
                        .setRun(OutboundRunPlan.of(submission, plan)));
    }

    Output plan(Effect.StopPlan plan) {
        var stop = plan.stop();
        return plan(
                plan,
                of(plan, plan.queue())
                        .setKind(PlanKind.STOP)
                        .setConfirm(stop.confirm())
                        .setStop(
                                new StopPlan(
                                        stop.grace().toMillis(),
                                        same(KeepPods.class, stop.keep()),
                                        OutboundRunPlan.forced(stop.forced()),
                                        same(Backend.class, plan.backend()),
                                        stop.sooner(),
                                        plan.kept())));
    }

    Output plan(Effect.GonePlan plan) {
        return plan(plan, of(plan, plan.queue()).setKind(PlanKind.GONE));
    }

    private JobPlan.Builder of(Effect.Plan plan, String queue) {
        return JobPlan.newBuilder()
                .setEnvelope(envelopes.about(plan.job(), plan.attempt()))
                .setJob(ref(plan.job()))
                .setPool(origin.pool())
                .setQueue(queue)
                .setAttempt(plan.attempt())
                .setVersion(plan.version());
    }

    private static Output plan(Effect.Plan plan, JobPlan.Builder value) {
        return new Output(Topics.JOB_PLANS, plan.job().toString(), value.build());
    }

    Output status(Effect.Status status) {
        var job = status.job();
        var word = status.word();
        var budgets = job.past().budgets();
        var submission = submissions.of(job.id());
        var last = job.past().scaling();
        var asked = job.past().checkpoint();
        var value =
                JobStatus.newBuilder()
                        .setEnvelope(envelopes.about(job.id(), job.fences().attempt()))
                        .setJob(ref(job.id()))
                        .setPhase(same(Phase.class, job.state().phase()))
                        .setReason(word.reason())
                        .setMessage(word.message())
                        .setAttempt(job.fences().attempt())
                        .setQueue(job.spec().queue())
                        .setPool(origin.pool())
                        .setRoles(
                                status.tally().roles().stream()
                                        .map(role -> role(status, role))
                                        .toList())
                        .setRestarts(new RestartCounts(budgets.own(), budgets.infrastructure()))
                        .setBudget(budget(status.allowances().get("")))
                        .setExcludedNodes(excluded(job))
                        .setTimes(times(job.times()))
                        .setSeq(job.seq())
                        .setPriority(job.spec().place().priority())
                        .setHeld(job.state().isHeld())
                        .setWaiting(
                                word.waits() == null ? null : OutboundReasons.reason(word.waits()))
                        .setScaling(last == null ? null : scaling(last))
                        .setAutoscaling(autoscaling(status.autoscaling()))
                        .setCheckpoint(asked == null ? null : checkpoint(job.id(), asked))
                        .setRetryOf(submission == null ? null : submission.getRetryOf())
                        .setLabels(submission == null ? Map.of() : submission.getSpec().getLabels())
                        .build();
        return new Output(Topics.JOB_STATUS, job.id().toString(), value);
    }

    private static @Nullable JobAutoscaling autoscaling(Throughput.@Nullable Verdict verdict) {
        return verdict == null
                ? null
                : new JobAutoscaling(verdict.code().label(), verdict.message(), verdict.since());
    }

    /** Success lifts what was held against nodes. */
    private static List<String> excluded(Job job) {
        return job.state().phase() == dev.muster.coordinator.core.model.Phase.SUCCEEDED
                ? List.of()
                : List.copyOf(job.past().exclusions().nodes());
    }

    private static RoleStatus role(Effect.Status status, Tally.OfRole role) {
        long grown = status.job().spec().memoryOf(role.role());
        var spots = status.spots().get(role.role());
        return new RoleStatus(
                role.role(),
                role.desired(),
                role.created(),
                role.running(),
                role.ready(),
                role.succeeded(),
                role.failed(),
                grown == 0 ? null : grown,
                spots == null ? 0 : spots.desired(),
                spots == null ? 0 : spots.running(),
                budget(status.allowances().get(role.role())));
    }

    private static @Nullable RestartBudget budget(@Nullable Allowance allowance) {
        return allowance == null
                ? null
                : RestartBudget.newBuilder()
                        .setOwn(allowance.own())
                        .setInfrastructure(allowance.infrastructure())
                        .setOwnCounted(allowance.ownCounted())
                        .setInfrastructureCounted(allowance.infrastructureCounted())
                        .setBackoffLimit(allowance.limits().own())
                        .setInfrastructureLimit(allowance.limits().infrastructure())
                        .setNextDelayMillis(allowance.next().toMillis())
                        .build();
    }

    private static JobTimes times(Job.Times times) {
        return JobTimes.newBuilder()
                .setSubmitted(times.submitted())
                .setAdmitted(times.admitted())
                .setStarted(times.started())
                .setRunning(times.running())
                .setFinished(times.finished())
                .build();
    }

    /**
     * @param by whoever asked for it; null: nobody did
     */
    Output event(Effect.Moved moved, @Nullable String by) {
        var word =
                JobMoved.newBuilder()
                        .setFrom(sameOrNull(Phase.class, moved.from()))
                        .setTo(same(Phase.class, moved.to()))
                        .setReason(moved.reason())
                        .setMessage(moved.message())
                        .setBy(by)
                        .build();
        return event(
                moved.job(),
                JobEvent.newBuilder()
                        .setEnvelope(envelopes.event(moved.job(), moved.attempt(), moved.seq()))
                        .setKind(JobEventKind.MOVED)
                        .setMoved(word));
    }

    Output event(Effect.RankEnded ended) {
        var rank =
                RankEvent.newBuilder()
                        .setRole(ended.rank().role())
                        .setIndex(ended.rank().index())
                        .setIncarnation(ended.incarnation())
                        .setNode(ended.node())
                        .setExitCode(ended.exitCode())
                        .setReason(ended.reason())
                        .setMessage(ended.message())
                        .build();
        return event(
                ended.job(),
                JobEvent.newBuilder()
                        .setEnvelope(envelopes.event(ended.job(), ended.attempt(), ended.seq()))
                        .setKind(JobEventKind.RANK_ENDED)
                        .setRank(rank));
    }

    Output event(Effect.RankPlaced placed) {
        var rank =
                RankEvent.newBuilder()
                        .setRole(placed.rank().role())
                        .setIndex(placed.rank().index())
                        .setIncarnation(placed.incarnation())
                        .setNode(placed.node())
                        .build();
        return event(
                placed.job(),
                JobEvent.newBuilder()
                        .setEnvelope(envelopes.event(placed.job(), placed.attempt(), placed.seq()))
                        .setKind(JobEventKind.RANK_PLACED)
                        .setRank(rank));
    }

    Output event(Effect.Scaled scaled) {
        return event(
                scaled.job(),
                JobEvent.newBuilder()
                        .setEnvelope(envelopes.event(scaled.job(), scaled.attempt(), scaled.seq()))
                        .setKind(JobEventKind.SCALED)
                        .setScaling(scaling(scaled.scaling())));
    }

    private static JobScaling scaling(Scaling scaling) {
        return JobScaling.newBuilder()
                .setRequestId(scaling.id())
                .setRole(scaling.role())
                .setFrom(scaling.from())
                .setTo(scaling.to())
                .setAtomic(scaling.atomic())
                .setStage(same(ScaleStage.class, scaling.stage()))
                .setReason(scaling.reason())
                .setMessage(scaling.message())
                .setSince(scaling.since())
                .setHook(scaling.hook() == null ? null : hook(scaling.hook()))
                .build();
    }

    Output event(Effect.CheckpointTold told) {
        return event(
                told.job(),
                JobEvent.newBuilder()
                        .setEnvelope(envelopes.event(told.job(), told.attempt(), told.seq()))
                        .setKind(JobEventKind.CHECKPOINT)
                        .setCheckpoint(checkpoint(told.job(), told.checkpoint())));
    }

    private static JobCheckpoint checkpoint(JobId job, Checkpoint asked) {
        return JobCheckpoint.newBuilder()
                .setId(ask(job, asked.id()))
                .setStage(same(CheckpointStage.class, asked.stage()))
                .setPurpose(asked.purpose())
                .setMessage(asked.message())
                .setUntil(asked.until())
                .setSince(asked.since())
                .build();
    }

    /** The id by which it is answered. */
    static String ask(JobId job, long number) {
        return new CheckpointId(job.uid().toString(), number).toString();
    }

    private static JobHook hook(Hooked hooked) {
        return new JobHook(
                hooked.tries(),
                hooked.done(),
                hooked.exitCode(),
                hooked.reason(),
                hooked.output(),
                hooked.waiting());
    }

    private static Output event(JobId job, JobEvent.Builder value) {
        return new Output(Topics.JOB_EVENTS, job.toString(), value.setJob(ref(job)).build());
    }
}
