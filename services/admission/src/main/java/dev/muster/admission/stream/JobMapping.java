package dev.muster.admission.stream;

import dev.muster.admission.core.Problem;
import dev.muster.admission.core.TrainJob;
import dev.muster.admission.core.TrainJob.Checkpoint;
import dev.muster.admission.core.TrainJob.Cleanup;
import dev.muster.admission.core.TrainJob.Deadlines;
import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.Elastic;
import dev.muster.admission.core.TrainJob.ExitCodes;
import dev.muster.admission.core.TrainJob.Failure;
import dev.muster.admission.core.TrainJob.FailureRule;
import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Gang;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.Spec;
import dev.muster.admission.core.TrainJob.Success;
import dev.muster.admission.core.TrainJob.Template;
import dev.muster.v1.CheckpointSpec;
import dev.muster.v1.DeadlinesSpec;
import dev.muster.v1.ElasticSpec;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.GangSpec;
import dev.muster.v1.RoleDependency;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.SuccessSpec;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Turns jobs of the contract into the core's own; enums have the same names on both sides. */
public final class JobMapping {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    private JobMapping() {}

    /** Takes over everything; what is wrong with it the core says. */
    public static TrainJob toCore(String namespace, String name, TrainJobSpec spec) {
        return new TrainJob(
                namespace,
                name,
                new Spec(
                        spec.getQueue(),
                        spec.getPriority(),
                        spec.getPriorityClass(),
                        Framework.valueOf(spec.getFramework().name()),
                        spec.getNprocPerNode(),
                        spec.getMasterPort(),
                        spec.getSuspend(),
                        spec.getLabels(),
                        spec.getAnnotations(),
                        spec.getAfter().stream()
                                .map(after -> new Dependency(after.getJob(), of(after.getPhase())))
                                .toList(),
                        gang(spec.getGang()),
                        elastic(spec.getElastic()),
                        spec.getRoles().stream().map(JobMapping::role).toList(),
                        success(spec.getSuccess()),
                        failure(spec.getFailure()),
                        deadlines(spec.getDeadlines()),
                        Cleanup.valueOf(spec.getCleanup().name()),
                        Duration.ofMillis(spec.getTtlAfterFinishedMillis()),
                        Duration.ofMillis(spec.getGracePeriodMillis()),
                        checkpoint(spec.getCheckpoint()),
                        spec.getResourceLimits(),
                        spec.getPodDisruptionBudget(),
                        TrainJob.RemoteShell.valueOf(spec.getShell().name())));
    }

    /** Problems for an answer. */
    public static List<dev.muster.v1.Problem> toContract(List<Problem> problems) {
        return problems.stream()
                .map(p -> new dev.muster.v1.Problem(p.path(), p.given(), p.message()))
                .toList();
    }

    private static Role role(RoleSpec role) {
        return new Role(
                role.getName(),
                role.getReplicas(),
                role.getMin(),
                role.getElastic(),
                dependencies(role.getDependsOn()),
                role.getSpotCount(),
                role.getHostNetwork(),
                failure(role.getFailure()),
                role.getCritical(),
                new Template(role.getTemplate(), parsed(role.getTemplate())));
    }

    private static @Nullable Map<String, ?> parsed(String template) {
        try {
            return JSON.readValue(template, new TypeReference<Map<String, Object>>() {});
        } catch (JacksonException noObject) {
            return null;
        }
    }

    private static @Nullable List<Dependency> dependencies(
            @Nullable List<RoleDependency> dependencies) {
        return dependencies == null
                ? null
                : dependencies.stream()
                        .map(on -> new Dependency(on.getRole(), of(on.getPhase())))
                        .toList();
    }

    private static TrainJob.DependencyPhase of(dev.muster.v1.DependencyPhase phase) {
        return TrainJob.DependencyPhase.valueOf(phase.name());
    }

    private static @Nullable Gang gang(@Nullable GangSpec gang) {
        return gang == null
                ? null
                : new Gang(
                        gang.getMin(),
                        Duration.ofMillis(gang.getTimeoutMillis()),
                        TrainJob.TopologyPolicy.valueOf(gang.getTopology().name()),
                        gang.getTopologyKey());
    }

    private static @Nullable Elastic elastic(@Nullable ElasticSpec elastic) {
        return elastic == null
                ? null
                : new Elastic(
                        elastic.getMin(),
                        elastic.getMax(),
                        TrainJob.ScalingPolicy.valueOf(elastic.getScaling().name()),
                        Duration.ofMillis(elastic.getCooldownMillis()));
    }

    private static @Nullable Success success(@Nullable SuccessSpec success) {
        return success == null
                ? null
                : new Success(
                        TrainJob.SuccessWhen.valueOf(success.getWhen().name()), success.getRole());
    }

    private static @Nullable Failure failure(@Nullable FailureSpec failure) {
        return failure == null
                ? null
                : new Failure(
                        failure.getBackoffLimit(),
                        failure.getInfrastructureLimit(),
                        Duration.ofMillis(failure.getWindowMillis()),
                        Duration.ofMillis(failure.getDelayInitialMillis()),
                        Duration.ofMillis(failure.getDelayMaxMillis()),
                        Duration.ofMillis(failure.getSettleMillis()),
                        Duration.ofMillis(failure.getNodeLostAfterMillis()),
                        TrainJob.NodeLostPolicy.valueOf(failure.getNodeLost().name()),
                        failure.getRules().stream().map(JobMapping::rule).toList());
    }

    private static FailureRule rule(dev.muster.v1.FailureRule rule) {
        return new FailureRule(
                rule.getExitCodes().stream()
                        .map(codes -> new ExitCodes(codes.getFirst(), codes.getLast()))
                        .toList(),
                rule.getReasons(),
                rule.getRole(),
                TrainJob.FailureAction.valueOf(rule.getAction().name()),
                rule.getMessage(),
                rule.getFactorThousandths(),
                rule.getMax());
    }

    private static @Nullable Deadlines deadlines(@Nullable DeadlinesSpec deadlines) {
        return deadlines == null
                ? null
                : new Deadlines(
                        Duration.ofMillis(deadlines.getQueueMillis()),
                        Duration.ofMillis(deadlines.getStartMillis()),
                        Duration.ofMillis(deadlines.getRunMillis()));
    }

    private static @Nullable Checkpoint checkpoint(@Nullable CheckpointSpec checkpoint) {
        return checkpoint == null
                ? null
                : new Checkpoint(
                        TrainJob.CheckpointSignal.valueOf(checkpoint.getSignal().name()),
                        Duration.ofMillis(checkpoint.getTimeoutMillis()));
    }
}
