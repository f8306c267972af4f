package dev.muster.schemas.trainjob;

import static dev.muster.schemas.trainjob.Entries.lower;
import static dev.muster.schemas.trainjob.Entries.put;
import static dev.muster.schemas.trainjob.Entries.words;

import dev.muster.v1.CheckpointSpec;
import dev.muster.v1.DeadlinesSpec;
import dev.muster.v1.ElasticSpec;
import dev.muster.v1.ExitCodeRange;
import dev.muster.v1.FailureRule;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.GangSpec;
import dev.muster.v1.RemoteShell;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.SuccessSpec;
import dev.muster.v1.TrainJobSpec;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A job in the words that {@link TrainJobForm} reads, which reads the same job from it: maps,
 * lists, texts and numbers, for YAML and JSON alike. What says nothing is left out.
 */
public final class TrainJobDocument {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    private static final long NEVER = -1;

    private TrainJobDocument() {}

    /** The job as its user could have written it. */
    public static Map<String, Object> of(String namespace, String name, TrainJobSpec spec) {
        var metadata = new LinkedHashMap<String, Object>();
        metadata.put("name", name);
        metadata.put("namespace", namespace);
        put(metadata, "labels", new LinkedHashMap<>(spec.getLabels()));
        put(metadata, "annotations", new LinkedHashMap<>(spec.getAnnotations()));
        var document = new LinkedHashMap<String, Object>();
        document.put("apiVersion", "muster.dev/v1");
        document.put("kind", "TrainJob");
        document.put("metadata", metadata);
        document.put("spec", spec(spec));
        return document;
    }

    private static Map<String, Object> spec(TrainJobSpec from) {
        var spec = new LinkedHashMap<String, Object>();
        spec.put("queue", from.getQueue());
        spec.put("priority", from.getPriority());
        put(spec, "priorityClass", from.getPriorityClass());
        spec.put("framework", lower(from.getFramework()));
        spec.put("nprocPerNode", from.getNprocPerNode());
        if (from.getShell() != RemoteShell.AGENT) {
            spec.put("horovod", Map.of("shell", lower(from.getShell())));
        }
        spec.put("masterPort", from.getMasterPort());
        spec.put("suspend", from.getSuspend());
        put(
                spec,
                "after",
                from.getAfter().stream()
                        .map(after -> pair("job", after.getJob(), "phase", words(after.getPhase())))
                        .toList());
        put(spec, "gang", gang(from.getGang()));
        put(spec, "elastic", elastic(from.getElastic()));
        spec.put("roles", from.getRoles().stream().map(TrainJobDocument::role).toList());
        put(spec, "success", success(from.getSuccess()));
        put(spec, "failure", failure(from.getFailure()));
        put(spec, "deadlines", deadlines(from.getDeadlines()));
        spec.put("cleanup", words(from.getCleanup()));
        spec.put(
                "ttlAfterFinished",
                from.getTtlAfterFinishedMillis() == NEVER
                        ? "never"
                        : GoDuration.text(from.getTtlAfterFinishedMillis()));
        spec.put("gracePeriod", GoDuration.text(from.getGracePeriodMillis()));
        put(spec, "checkpoint", checkpoint(from.getCheckpoint()));
        put(spec, "resourceLimits", new LinkedHashMap<>(from.getResourceLimits()));
        if (from.getPodDisruptionBudget()) {
            spec.put("policy", Map.of("podDisruptionBudget", true));
        }
        return spec;
    }

    private static @Nullable Map<String, Object> gang(@Nullable GangSpec from) {
        if (from == null) {
            return null;
        }
        var gang = new LinkedHashMap<String, Object>();
        put(gang, "min", from.getMin());
        gang.put("timeout", GoDuration.text(from.getTimeoutMillis()));
        var topology = new LinkedHashMap<String, Object>();
        topology.put("policy", lower(from.getTopology()));
        put(topology, "key", from.getTopologyKey());
        gang.put("topology", topology);
        return gang;
    }

    private static @Nullable Map<String, Object> elastic(@Nullable ElasticSpec from) {
        if (from == null) {
            return null;
        }
        var elastic = pair("min", from.getMin(), "max", from.getMax());
        elastic.put(
                "scaling",
                pair(
                        "policy",
                        lower(from.getScaling()),
                        "cooldown",
                        GoDuration.text(from.getCooldownMillis())));
        return elastic;
    }

    private static Map<String, Object> role(RoleSpec from) {
        var role = new LinkedHashMap<String, Object>();
        role.put("name", from.getName());
        role.put("replicas", from.getReplicas());
        put(role, "min", from.getMin());
        role.put("elastic", from.getElastic());
        var dependsOn = from.getDependsOn();
        if (dependsOn != null) {
            // An empty list says something: that it waits for none.
            role.put(
                    "dependsOn",
                    dependsOn.stream()
                            .map(on -> pair("role", on.getRole(), "phase", words(on.getPhase())))
                            .toList());
        }
        if (from.getSpotCount() != 0) {
            role.put("spot", Map.of("count", from.getSpotCount()));
        }
        role.put("hostNetwork", from.getHostNetwork());
        put(role, "failure", failure(from.getFailure()));
        put(role, "critical", List.copyOf(from.getCritical()));
        role.put(
                "template",
                JSON.readValue(
                        from.getTemplate(), new TypeReference<LinkedHashMap<String, Object>>() {}));
        return role;
    }

    private static @Nullable Map<String, Object> success(@Nullable SuccessSpec from) {
        if (from == null) {
            return null;
        }
        var success = new LinkedHashMap<String, Object>();
        success.put("when", words(from.getWhen()));
        put(success, "role", from.getRole());
        return success;
    }

    private static @Nullable Map<String, Object> failure(@Nullable FailureSpec from) {
        if (from == null) {
            return null;
        }
        var failure =
                pair(
                        "backoffLimit",
                        from.getBackoffLimit(),
                        "infrastructureLimit",
                        from.getInfrastructureLimit());
        failure.put("window", GoDuration.text(from.getWindowMillis()));
        failure.put(
                "delay",
                pair(
                        "initial",
                        GoDuration.text(from.getDelayInitialMillis()),
                        "max",
                        GoDuration.text(from.getDelayMaxMillis())));
        failure.put("settle", GoDuration.text(from.getSettleMillis()));
        failure.put(
                "nodeLost",
                pair(
                        "after",
                        GoDuration.text(from.getNodeLostAfterMillis()),
                        "policy",
                        lower(from.getNodeLost())));
        put(failure, "rules", from.getRules().stream().map(TrainJobDocument::rule).toList());
        return failure;
    }

    private static Map<String, Object> rule(FailureRule from) {
        var rule = new LinkedHashMap<String, Object>();
        put(
                rule,
                "exitCodes",
                from.getExitCodes().stream().map(TrainJobDocument::exitCodes).toList());
        put(rule, "reasons", List.copyOf(from.getReasons()));
        put(rule, "role", from.getRole());
        rule.put("action", words(from.getAction()));
        put(rule, "message", from.getMessage());
        var factor = from.getFactorThousandths();
        put(
                rule,
                "factor",
                factor == null ? null : BigDecimal.valueOf(factor, 3).stripTrailingZeros());
        put(rule, "max", from.getMax());
        return rule;
    }

    private static Object exitCodes(ExitCodeRange codes) {
        return codes.getFirst() == codes.getLast()
                ? codes.getFirst()
                : codes.getFirst() + "-" + codes.getLast();
    }

    private static @Nullable Map<String, Object> deadlines(@Nullable DeadlinesSpec from) {
        if (from == null) {
            return null;
        }
        var deadlines =
                pair(
                        "queue",
                        GoDuration.text(from.getQueueMillis()),
                        "start",
                        GoDuration.text(from.getStartMillis()));
        deadlines.put("run", GoDuration.text(from.getRunMillis()));
        return deadlines;
    }

    private static @Nullable Map<String, Object> checkpoint(@Nullable CheckpointSpec from) {
        return from == null
                ? null
                : pair(
                        "signal",
                        lower(from.getSignal()),
                        "timeout",
                        GoDuration.text(from.getTimeoutMillis()));
    }

    private static Map<String, Object> pair(String first, Object one, String second, Object other) {
        var pair = new LinkedHashMap<String, Object>();
        pair.put(first, one);
        pair.put(second, other);
        return pair;
    }
}
