package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.avro.Fields.required;
import static dev.muster.coordinator.stream.avro.Fields.same;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.CheckpointPolicy;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Success;
import dev.muster.coordinator.core.model.Memory;
import dev.muster.coordinator.core.model.Neighbours;
import dev.muster.coordinator.core.model.PodSpec;
import dev.muster.coordinator.core.model.RankRange;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.schemas.contract.ElasticSize;
import dev.muster.v1.CheckpointSignal;
import dev.muster.v1.DependencyPhase;
import dev.muster.v1.FailureAction;
import dev.muster.v1.Framework;
import dev.muster.v1.GangSpec;
import dev.muster.v1.HookSpec;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.PodNeeds;
import dev.muster.v1.PodRange;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.ScaleSpec;
import dev.muster.v1.ScalingPolicy;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the core has to know of a submission. */
final class InboundJobs {
    private static final long FOR_EVER = -1;
    private static final String MASTER = "master";

    private InboundJobs() {}

    static JobSpec spec(JobSubmitted submitted) {
        var spec = submitted.getSpec();
        if (spec.getRoles().isEmpty()) {
            throw new UnusableEventException("spec.roles is empty");
        }
        return new JobSpec(place(spec, InboundNeighbours.of(submitted)), work(submitted, spec));
    }

    private static JobSpec.Work work(JobSubmitted submitted, TrainJobSpec spec) {
        var ttl = spec.getTtlAfterFinishedMillis();
        return new JobSpec.Work(
                gang(spec),
                spec.getRoles().stream()
                        .map(role -> role(spec, role, needs(submitted, role)))
                        .toList(),
                success(spec),
                same(JobSpec.Cleanup.class, spec.getCleanup()),
                ttl == FOR_EVER ? null : Duration.ofMillis(ttl),
                Duration.ofMillis(spec.getGracePeriodMillis()),
                InboundFailures.ofJob(spec),
                deadlines(spec),
                limits(spec),
                elastic(spec),
                spec.getFramework() == Framework.HOROVOD,
                checkpoint(spec),
                spec.getPodDisruptionBudget());
    }

    private static @Nullable CheckpointPolicy checkpoint(TrainJobSpec spec) {
        var said = spec.getCheckpoint();
        return said == null
                ? null
                : switch (said.getSignal()) {
                    case NONE -> null;
                    case FILE, EVENT ->
                            CheckpointPolicy.within(
                                    said.getSignal() == CheckpointSignal.FILE,
                                    said.getTimeoutMillis());
                    case UNKNOWN ->
                            throw new UnusableEventException(
                                    "spec.checkpoint.signal is not known here");
                };
    }

    static Change scale(ScaleSpec said) {
        var terms =
                new Change.Terms(
                        Duration.ofMillis(said.getTimeoutMillis()),
                        said.getAtomic(),
                        said.getDrainMillis() < 0 ? null : Duration.ofMillis(said.getDrainMillis()),
                        said.getDryRun(),
                        hook(said.getHook()));
        var role = said.getRole();
        int count = said.getCount();
        return switch (said.getKind()) {
            case SET -> new Change.SetReplicas(role, count, terms);
            case OUT -> new Change.ScaleOut(role, count, terms);
            case IN -> new Change.ScaleIn(role, count, new TreeSet<>(said.getNames()), terms);
            case CANCEL -> new Change.Withdraw(said.getCommand());
            case UNKNOWN -> throw new UnusableEventException("change.scale.kind is not known here");
        };
    }

    private static @Nullable Hook hook(@Nullable HookSpec said) {
        return said == null
                ? null
                : new Hook(
                        said.getCommand(),
                        new TreeMap<>(said.getEnv()),
                        Duration.ofMillis(said.getTimeoutMillis()),
                        said.getRetries());
    }

    private static JobSpec.@Nullable Elastic elastic(TrainJobSpec spec) {
        var range = spec.getElastic();
        return range == null
                ? null
                : spec.getRoles().stream()
                        .filter(RoleSpec::getElastic)
                        .findFirst()
                        .map(role ->
                                new JobSpec.Elastic(
                                        role.getName(),
                                        range.getMin(),
                                        range.getMax(),
                                        range.getScaling() == ScalingPolicy.METRICS
                                                ? Duration.ofMillis(range.getCooldownMillis())
                                                : null))
                        .orElse(null);
    }

    /** The size that is wished at first. */
    static int replicas(TrainJobSpec spec, RoleSpec role) {
        var range = role.getElastic() ? spec.getElastic() : null;
        return range == null
                ? role.getReplicas()
                : ElasticSize.wished(
                        role.getReplicas(),
                        range.getMin(),
                        range.getMax(),
                        range.getScaling() == ScalingPolicy.CAPACITY);
    }

    private static JobSpec.Deadlines deadlines(TrainJobSpec spec) {
        var said = spec.getDeadlines();
        return said == null
                ? JobSpec.Deadlines.NONE
                : new JobSpec.Deadlines(
                        Duration.ofMillis(said.getQueueMillis()),
                        Duration.ofMillis(said.getStartMillis()),
                        Duration.ofMillis(said.getRunMillis()));
    }

    private static Amounts limits(TrainJobSpec spec) {
        var limits = new TreeMap<String, Long>();
        spec.getResourceLimits()
                .forEach((resource, said) ->
                        limits.put(resource, Fields.amount(resource, said, "spec.resourceLimits")));
        return Amounts.of(limits);
    }

    private static JobSpec.Place place(TrainJobSpec spec, Neighbours neighbours) {
        return new JobSpec.Place(
                spec.getQueue(),
                spec.getPriority(),
                spec.getPriorityClass(),
                spec.getSuspend(),
                spec.getAfter().stream()
                        .map(after ->
                                new JobSpec.After(
                                        after.getJob(),
                                        after.getPhase() == DependencyPhase.SUCCEEDED))
                        .toList(),
                new TreeMap<>(spec.getLabels()),
                neighbours);
    }

    private static JobSpec.Gang gang(TrainJobSpec spec) {
        var gang = spec.getGang() == null ? GangSpec.newBuilder().build() : spec.getGang();
        var min = gang.getMin();
        return new JobSpec.Gang(
                min == null ? 0 : min,
                Duration.ofMillis(gang.getTimeoutMillis()),
                new Topology(
                        same(Topology.Policy.class, gang.getTopology()), gang.getTopologyKey()));
    }

    static PodNeeds needs(JobSubmitted submitted, RoleSpec role) {
        return submitted.getNeeds().stream()
                .filter(needs -> needs.getRole().equals(role.getName()))
                .findFirst()
                .orElseThrow(() ->
                        new UnusableEventException(
                                "needs of role %s are missing".formatted(role.getName())));
    }

    private static JobSpec.Role role(TrainJobSpec spec, RoleSpec role, PodNeeds needs) {
        return new JobSpec.Role(
                role.getName(),
                replicas(spec, role),
                min(spec, role),
                role.getSpotCount(),
                new PodSpec(
                        Amounts.of(needs.getDemand()),
                        Amounts.of(needs.getLimits()),
                        InboundNodes.filter(needs),
                        needs.getAntiAffinityHostname(),
                        same(JobSpec.Restart.class, needs.getRestart()),
                        role.getHostNetwork(),
                        memory(spec, role, needs),
                        grace(spec, needs),
                        needs.getApartFrom().stream().map(InboundJobs::range).toList()),
                dependsOn(spec, role),
                new JobSpec.Care(
                        InboundFailures.ofRole(spec, role), new TreeSet<>(role.getCritical())),
                needs.getWorld());
    }

    private static RankRange range(PodRange said) {
        var end = said.getEnd();
        return new RankRange(said.getRole(), said.getFirst(), end == null ? RankRange.OPEN : end);
    }

    /** Null where it never grows. */
    private static @Nullable Memory memory(TrainJobSpec spec, RoleSpec role, PodNeeds needs) {
        var failure = role.getFailure() == null ? spec.getFailure() : role.getFailure();
        var main = needs.getMainMemory();
        boolean grows =
                failure != null
                        && failure.getRules().stream()
                                .anyMatch(r -> r.getAction() == FailureAction.GROW_MEMORY);
        if (main == null || !grows) {
            return null;
        }
        long requested = needs.getDemand().getOrDefault("memory", 0L);
        long limited = needs.getLimits().getOrDefault("memory", 0L);
        var besides = main.getLimitBesides();
        return new Memory(
                main.getAsked(),
                main.getRequest(),
                new Memory.Share(requested, main.getBesides()),
                besides == null ? null : new Memory.Share(limited, besides),
                0);
    }

    /** Asked for alone of workers that a launcher starts processes on. */
    private static @Nullable Duration grace(TrainJobSpec spec, PodNeeds needs) {
        var millis = needs.getGraceMillis();
        return spec.getFramework() != Framework.HOROVOD || millis == null
                ? null
                : Duration.ofMillis(millis);
    }

    private static int min(TrainJobSpec spec, RoleSpec role) {
        var min = role.getMin();
        if (min != null) {
            return min;
        }
        var elastic = spec.getElastic();
        return role.getElastic() && elastic != null ? elastic.getMin() : role.getReplicas();
    }

    /** Where nothing is said, pytorch's other roles wait until the master runs. */
    private static List<JobSpec.DependsOn> dependsOn(TrainJobSpec spec, RoleSpec role) {
        var said = role.getDependsOn();
        if (said != null) {
            return said.stream()
                    .map(dependency ->
                            new JobSpec.DependsOn(
                                    dependency.getRole(),
                                    same(JobSpec.Milestone.class, dependency.getPhase())))
                    .toList();
        }
        boolean hasMaster =
                spec.getRoles().stream().anyMatch(other -> other.getName().equals(MASTER));
        return spec.getFramework() == Framework.PYTORCH
                        && hasMaster
                        && !role.getName().equals(MASTER)
                ? List.of(new JobSpec.DependsOn(MASTER, JobSpec.Milestone.RUNNING))
                : List.of();
    }

    /** Where nothing is said: rank 0's role if it is one pod, else all roles. */
    private static Success success(TrainJobSpec spec) {
        var success = spec.getSuccess();
        if (success == null) {
            var first =
                    spec.getRoles().stream()
                            .min(Comparator.comparing(role -> !role.getName().equals(MASTER)))
                            .orElseThrow();
            return replicas(spec, first) == 1
                    ? new Success.OfRole(first.getName())
                    : new Success.All();
        }
        return switch (success.getWhen()) {
            case ALL_SUCCEEDED -> new Success.All();
            case ANY_SUCCEEDED -> new Success.Any();
            case ROLE_SUCCEEDED ->
                    new Success.OfRole(required(success.getRole(), "spec.success.role"));
            case UNKNOWN -> throw new UnusableEventException("spec.success.when is not known here");
        };
    }
}
