package dev.muster.admission.core;

import dev.muster.schemas.contract.ElasticSize;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A training job as its user asks for it; what he left out is {@code null}. */
public record TrainJob(String namespace, String name, Spec spec) {

    /** Of {@code ttlAfterFinished}: the job's objects are never deleted. */
    public static final Duration NEVER = Duration.ofMillis(-1);

    /** {@code UNKNOWN} everywhere below: a value that only a later release knows. */
    public enum Framework {
        UNKNOWN,
        NONE,
        PYTORCH,
        HOROVOD,
        DLROVER
    }

    public enum TopologyPolicy {
        UNKNOWN,
        NONE,
        SPREAD,
        PACK,
        PREFER,
        REQUIRE
    }

    public enum SuccessWhen {
        UNKNOWN,
        ALL_SUCCEEDED,
        ANY_SUCCEEDED,
        ROLE_SUCCEEDED
    }

    public enum Cleanup {
        UNKNOWN,
        ALL,
        RUNNING,
        NONE
    }

    public enum DependencyPhase {
        UNKNOWN,
        RUNNING,
        READY,
        SUCCEEDED,
        ENDED
    }

    public enum FailureAction {
        UNKNOWN,
        RESTART_POD,
        RESTART_ROLE,
        RESTART_GANG,
        RESTART_IN_PLACE,
        EXCLUDE_NODE,
        GROW_MEMORY,
        FAIL,
        IGNORE
    }

    public enum NodeLostPolicy {
        UNKNOWN,
        WAIT,
        FORCE
    }

    public enum CheckpointSignal {
        UNKNOWN,
        NONE,
        FILE,
        EVENT
    }

    public enum RemoteShell {
        UNKNOWN,
        AGENT,
        SSH
    }

    public enum ScalingPolicy {
        UNKNOWN,
        NONE,
        CAPACITY,
        METRICS
    }

    /** Another job, or another role, that must have come to a phase first. */
    public record Dependency(String on, DependencyPhase phase) {}

    public record Gang(
            @Nullable Integer min,
            Duration timeout,
            TopologyPolicy topology,
            @Nullable String topologyKey) {}

    public record Elastic(int min, int max, ScalingPolicy scaling, Duration cooldown) {}

    public record Success(SuccessWhen when, @Nullable String role) {}

    /** Both ends belong to it. */
    public record ExitCodes(int first, int last) {}

    public record FailureRule(
            List<ExitCodes> exitCodes,
            List<String> reasons,
            @Nullable String role,
            FailureAction action,
            String message,
            @Nullable Integer factorThousandths,
            @Nullable String max) {
        public FailureRule {
            exitCodes = List.copyOf(exitCodes);
            reasons = List.copyOf(reasons);
        }

        FailureRule growingBy(int factorThousandths) {
            return new FailureRule(
                    exitCodes, reasons, role, action, message, factorThousandths, max);
        }
    }

    public record Failure(
            int backoffLimit,
            int infrastructureLimit,
            Duration window,
            Duration delayInitial,
            Duration delayMax,
            Duration settle,
            Duration nodeLostAfter,
            NodeLostPolicy nodeLost,
            List<FailureRule> rules) {
        public Failure {
            rules = List.copyOf(rules);
        }

        Failure with(List<FailureRule> rules) {
            return new Failure(
                    backoffLimit,
                    infrastructureLimit,
                    window,
                    delayInitial,
                    delayMax,
                    settle,
                    nodeLostAfter,
                    nodeLost,
                    rules);
        }
    }

    /** Zero: none. */
    public record Deadlines(Duration queue, Duration start, Duration run) {
        static final Deadlines NONE = new Deadlines(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    public record Checkpoint(CheckpointSignal signal, Duration timeout) {
        static final Checkpoint NONE = new Checkpoint(CheckpointSignal.NONE, Duration.ofMinutes(2));
    }

    /**
     * A Kubernetes PodTemplateSpec.
     *
     * @param json its text, which is what the pods are made of
     * @param content the same, parsed; {@code null} where the text is no JSON object
     */
    public record Template(String json, @Nullable Map<String, ?> content) {}

    public record Role(
            String name,
            int replicas,
            @Nullable Integer min,
            boolean elastic,
            @Nullable List<Dependency> dependsOn,
            int spotCount,
            boolean hostNetwork,
            @Nullable Failure failure,
            List<Integer> critical,
            Template template) {
        public Role {
            dependsOn = dependsOn == null ? null : List.copyOf(dependsOn);
            critical = List.copyOf(critical);
        }

        Role filledIn(int minimum, List<Dependency> dependencies, @Nullable Failure failure) {
            return new Role(
                    name,
                    replicas,
                    minimum,
                    elastic,
                    dependencies,
                    spotCount,
                    hostNetwork,
                    failure,
                    critical,
                    template);
        }
    }

    public record Spec(
            String queue,
            int priority,
            @Nullable String priorityClass,
            Framework framework,
            String nprocPerNode,
            int masterPort,
            boolean suspend,
            Map<String, String> labels,
            Map<String, String> annotations,
            List<Dependency> after,
            @Nullable Gang gang,
            @Nullable Elastic elastic,
            List<Role> roles,
            @Nullable Success success,
            @Nullable Failure failure,
            @Nullable Deadlines deadlines,
            Cleanup cleanup,
            Duration ttlAfterFinished,
            Duration gracePeriod,
            @Nullable Checkpoint checkpoint,
            Map<String, String> resourceLimits,
            boolean podDisruptionBudget,
            RemoteShell shell) {
        public Spec {
            labels = Ordered.copy(labels);
            annotations = Ordered.copy(annotations);
            after = List.copyOf(after);
            roles = List.copyOf(roles);
            resourceLimits = Ordered.copy(resourceLimits);
        }

        /** How many pods the job has when it is whole. */
        public long total() {
            return roles.stream().mapToLong(this::size).sum();
        }

        /** How many pods a role may come to have. */
        int most(Role role) {
            return role.elastic() && elastic != null
                    ? Math.max(role.replicas(), elastic.max())
                    : role.replicas();
        }

        /** How many of a role are wished at first. */
        public int size(Role role) {
            return role.elastic() && elastic != null
                    ? ElasticSize.wished(
                            role.replicas(),
                            elastic.min(),
                            elastic.max(),
                            elastic.scaling() == ScalingPolicy.CAPACITY)
                    : role.replicas();
        }
    }
}
