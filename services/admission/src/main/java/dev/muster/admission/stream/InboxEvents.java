package dev.muster.admission.stream;

import dev.muster.admission.core.Examined;
import dev.muster.admission.core.TrainJob;
import dev.muster.admission.core.Verdict;
import dev.muster.admission.core.Verdict.Command;
import dev.muster.admission.core.Worlds;
import dev.muster.v1.BulkChange;
import dev.muster.v1.BulkChanged;
import dev.muster.v1.DependencyPhase;
import dev.muster.v1.Envelope;
import dev.muster.v1.FailureRule;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.GangSpec;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobCancel;
import dev.muster.v1.JobChanged;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PoolChanged;
import dev.muster.v1.PoolPut;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.QueueChanged;
import dev.muster.v1.QueueDelete;
import dev.muster.v1.QueuePut;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.RoleDependency;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.SuccessSpec;
import dev.muster.v1.SuccessWhen;
import dev.muster.v1.TopologyPolicy;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes what is sent on to a pool. */
final class InboxEvents {
    private InboxEvents() {}

    /** About a job; {@code spec} is the submitted one. */
    static InboxEvent of(
            Arrival arrival,
            JobRequest request,
            @Nullable TrainJobSpec spec,
            Verdict.Forward forward,
            Instant now) {
        var event =
                about(arrival, request.getEnvelope(), forward.pool(), now)
                        .setJob(Results.job(request, forward.uid()));
        event.getEnvelope().setJobUid(forward.uid());
        return switch (forward.command()) {
            case Command.Submitted(var examined) ->
                    event.setKind(InboxKind.JOB_SUBMITTED)
                            .setJobSubmitted(
                                    new JobSubmitted(
                                            filledIn(Objects.requireNonNull(spec), examined.job()),
                                            needs(examined),
                                            forward.next().digest(),
                                            request.getRetryOf()))
                            .build();
            case Command.Cancelled(var grace, var message) ->
                    event.setKind(InboxKind.JOB_CANCEL)
                            .setJobCancel(
                                    new JobCancel(grace == null ? null : grace.toMillis(), message))
                            .build();
            case Command.Changed(var change) ->
                    event.setKind(InboxKind.JOB_CHANGE)
                            .setJobChange(new JobChanged(ChangeMapping.toAvro(change)))
                            .build();
        };
    }

    /** About a queue, a pool, or their jobs. */
    static InboxEvent of(
            Arrival arrival, QueueRequest request, String pool, int number, Instant now) {
        var event = about(arrival, request.getEnvelope(), pool, now);
        var name = request.getName();
        return switch (request.getKind()) {
            case PUT_QUEUE ->
                    event.setKind(InboxKind.QUEUE_PUT)
                            .setQueuePut(new QueuePut(name, request.getQueue()))
                            .build();
            case CHANGE_QUEUE ->
                    event.setKind(InboxKind.QUEUE_CHANGE)
                            .setQueueChange(
                                    new QueueChanged(
                                            name,
                                            request.getQueue(),
                                            request.getFields(),
                                            request.getCreate()))
                            .build();
            case DELETE_QUEUE ->
                    event.setKind(InboxKind.QUEUE_DELETE)
                            .setQueueDelete(new QueueDelete(name, request.getDrain()))
                            .build();
            case PUT_POOL ->
                    event.setKind(InboxKind.POOL_PUT)
                            .setPoolPut(new PoolPut(name, numbered(request, number)))
                            .build();
            case CHANGE_POOL ->
                    event.setKind(InboxKind.POOL_CHANGE)
                            .setPoolChange(
                                    new PoolChanged(
                                            name, numbered(request, number), request.getFields()))
                            .build();
            case BULK ->
                    event.setKind(InboxKind.BULK_CHANGE)
                            .setBulkChange(bulk(request, Objects.requireNonNull(request.getBulk())))
                            .build();
            case UNKNOWN -> throw new IllegalArgumentException("nobody forwards UNKNOWN");
        };
    }

    private static PoolSpec numbered(QueueRequest request, int number) {
        return PoolSpec.newBuilder(request.getPool()).setNumber(number).build();
    }

    private static BulkChanged bulk(QueueRequest request, BulkChange bulk) {
        return new BulkChanged(
                bulk.getWholePool() ? null : request.getName(),
                bulk.getLabels(),
                bulk.getNamespace(),
                bulk.getChange());
    }

    /** It comes from whoever asked: the pool shall know on whose word it acts. */
    private static InboxEvent.Builder about(
            Arrival arrival, Envelope request, String pool, Instant now) {
        return InboxEvent.newBuilder()
                .setEnvelope(
                        Envelopes.causedBy(arrival, request, "inbox", now)
                                .setActor(request.getActor())
                                .build())
                .setPool(pool)
                .setRequestKey(arrival.key());
    }

    /** The submitted form with what {@code job} has that the user left out. */
    private static TrainJobSpec filledIn(TrainJobSpec given, TrainJob job) {
        var roles = new ArrayList<RoleSpec>();
        for (int i = 0; i < given.getRoles().size(); i++) {
            var role = job.spec().roles().get(i);
            roles.add(
                    RoleSpec.newBuilder(given.getRoles().get(i))
                            .setMin(role.min())
                            .setDependsOn(dependencies(role))
                            .setFailure(
                                    filledIn(given.getRoles().get(i).getFailure(), role.failure()))
                            .build());
        }
        var gang = Objects.requireNonNull(job.spec().gang());
        var success = Objects.requireNonNull(job.spec().success());
        var deadlines = Objects.requireNonNull(job.spec().deadlines());
        return TrainJobSpec.newBuilder(given)
                .setRoles(roles)
                .setFailure(filledIn(given.getFailure(), job.spec().failure()))
                .setGang(
                        new GangSpec(
                                gang.min(),
                                gang.timeout().toMillis(),
                                TopologyPolicy.valueOf(gang.topology().name()),
                                gang.topologyKey()))
                .setSuccess(
                        new SuccessSpec(SuccessWhen.valueOf(success.when().name()), success.role()))
                .setDeadlines(
                        new dev.muster.v1.DeadlinesSpec(
                                millis(deadlines.queue()),
                                millis(deadlines.start()),
                                millis(deadlines.run())))
                .build();
    }

    private static @Nullable FailureSpec filledIn(
            @Nullable FailureSpec given, TrainJob.@Nullable Failure failure) {
        if (given == null || failure == null) {
            return null;
        }
        var rules = new ArrayList<FailureRule>();
        for (int i = 0; i < given.getRules().size(); i++) {
            rules.add(
                    FailureRule.newBuilder(given.getRules().get(i))
                            .setFactorThousandths(failure.rules().get(i).factorThousandths())
                            .build());
        }
        return FailureSpec.newBuilder(given).setRules(rules).build();
    }

    private static List<RoleDependency> dependencies(TrainJob.Role role) {
        return Objects.requireNonNull(role.dependsOn()).stream()
                .map(on -> new RoleDependency(on.on(), DependencyPhase.valueOf(on.phase().name())))
                .toList();
    }

    private static long millis(Duration duration) {
        return duration.toMillis();
    }

    private static List<dev.muster.v1.PodNeeds> needs(Examined examined) {
        var worlds = Worlds.of(examined.job().spec().roles());
        return examined.needs().stream()
                .map(needs -> NeedsMapping.toAvro(needs, worlds.getOrDefault(needs.role(), 0)))
                .toList();
    }
}
