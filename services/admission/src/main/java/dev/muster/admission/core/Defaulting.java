package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.Checkpoint;
import dev.muster.admission.core.TrainJob.Deadlines;
import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Elastic;
import dev.muster.admission.core.TrainJob.Failure;
import dev.muster.admission.core.TrainJob.FailureAction;
import dev.muster.admission.core.TrainJob.FailureRule;
import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Gang;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.Spec;
import dev.muster.admission.core.TrainJob.Success;
import dev.muster.admission.core.TrainJob.SuccessWhen;
import dev.muster.admission.core.TrainJob.TopologyPolicy;
import dev.muster.schemas.contract.Defaults;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says for the user what he left out and what has a meaning in this release. */
final class Defaulting {
    static final Duration GANG_TIMEOUT = Duration.ofMinutes(5);

    /** The role that starts the processes of the others. */
    static final String LAUNCHER = "launcher";

    private static final String MASTER = "master";

    private Defaulting() {}

    /** The same job with every default in its place; filling in twice changes nothing. */
    static TrainJob defaults(TrainJob job) {
        var spec = job.spec();
        var roles =
                spec.roles().stream()
                        .map(role ->
                                role.filledIn(
                                        minimum(role, spec),
                                        dependencies(role, spec),
                                        failure(role.failure())))
                        .toList();
        return new TrainJob(job.namespace(), job.name(), filledIn(spec, roles));
    }

    private static Spec filledIn(Spec spec, List<Role> roles) {
        return new Spec(
                spec.queue(),
                spec.priority(),
                spec.priorityClass(),
                spec.framework(),
                spec.nprocPerNode(),
                spec.masterPort(),
                spec.suspend(),
                spec.labels(),
                spec.annotations(),
                spec.after(),
                gang(spec.gang(), roles),
                spec.elastic(),
                roles,
                Objects.requireNonNullElseGet(spec.success(), () -> success(spec, roles)),
                failure(spec.failure()),
                Objects.requireNonNullElse(spec.deadlines(), Deadlines.NONE),
                spec.cleanup(),
                spec.ttlAfterFinished(),
                spec.gracePeriod(),
                Objects.requireNonNullElse(spec.checkpoint(), Checkpoint.NONE),
                spec.resourceLimits(),
                spec.podDisruptionBudget(),
                spec.shell());
    }

    /**
     * Where nothing is said, the workers of pytorch wait for its master, and the launcher of
     * horovod for all others to be ready.
     */
    static List<Dependency> dependencies(Role role, Spec spec) {
        if (role.dependsOn() != null) {
            return role.dependsOn();
        }
        if (spec.framework() == Framework.HOROVOD && role.name().equals(LAUNCHER)) {
            return spec.roles().stream()
                    .filter(other -> !other.name().equals(LAUNCHER))
                    .map(other -> new Dependency(other.name(), DependencyPhase.READY))
                    .distinct()
                    .toList();
        }
        var waits =
                spec.framework() == Framework.PYTORCH
                        && !role.name().equals(MASTER)
                        && spec.roles().stream().anyMatch(other -> other.name().equals(MASTER));
        return waits ? List.of(new Dependency(MASTER, DependencyPhase.RUNNING)) : List.of();
    }

    /**
     * How many of a role start together: where it says nothing all of them, or one if the gang's
     * total is smaller than that.
     */
    static int minimum(Role role, Spec spec) {
        var own = ownMinimum(role, spec.elastic());
        if (own != null) {
            return own;
        }
        var gang = spec.gang();
        var smaller = gang != null && gang.min() != null && gang.min() < wholeMinima(spec);
        return smaller ? 1 : role.replicas();
    }

    /** Null: the role says nothing. */
    static @Nullable Integer ownMinimum(Role role, @Nullable Elastic elastic) {
        if (role.min() != null) {
            return role.min();
        }
        return role.elastic() && elastic != null ? elastic.min() : null;
    }

    private static long wholeMinima(Spec spec) {
        return spec.roles().stream()
                .mapToLong(role ->
                        Objects.requireNonNullElse(
                                ownMinimum(role, spec.elastic()), role.replicas()))
                .sum();
    }

    /** Of each role at least one pod is in it. */
    private static Gang gang(@Nullable Gang gang, List<Role> filledIn) {
        var sum =
                filledIn.stream()
                        .mapToLong(role -> Objects.requireNonNullElse(role.min(), 0))
                        .sum();
        var least = (int) Math.min(sum, Integer.MAX_VALUE);
        if (gang == null) {
            return new Gang(least, GANG_TIMEOUT, TopologyPolicy.NONE, null);
        }
        var min = gang.min() == null ? least : Math.max(gang.min(), least);
        return new Gang(min, gang.timeout(), gang.topology(), gang.topologyKey());
    }

    /** A rule by which memory grows says how far. */
    private static @Nullable Failure failure(@Nullable Failure failure) {
        return failure == null
                ? null
                : failure.with(failure.rules().stream().map(Defaulting::rule).toList());
    }

    private static FailureRule rule(FailureRule rule) {
        boolean isOpen =
                rule.action() == FailureAction.GROW_MEMORY && rule.factorThousandths() == null;
        return isOpen ? rule.growingBy(Defaults.MEMORY_GROWTH) : rule;
    }

    /**
     * With horovod the launcher decides. Else one pod of rank 0's role decides: of those that train
     * together at last the master's wherever it is written, else the first. Where that role has
     * several, all must succeed.
     */
    private static Success success(Spec spec, List<Role> roles) {
        if (spec.framework() == Framework.HOROVOD) {
            return new Success(SuccessWhen.ROLE_SUCCEEDED, LAUNCHER);
        }
        var worlds = Worlds.of(roles);
        var byRank =
                Comparator.<Role>comparingInt(role -> worlds.getOrDefault(role.name(), 0))
                        .thenComparing(role -> !role.name().equals(MASTER));
        var first = roles.stream().min(byRank);
        return first.isPresent() && spec.size(first.get()) == 1
                ? new Success(SuccessWhen.ROLE_SUCCEEDED, first.get().name())
                : new Success(SuccessWhen.ALL_SUCCEEDED, null);
    }
}
