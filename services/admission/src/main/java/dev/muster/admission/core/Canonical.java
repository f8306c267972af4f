package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.Checkpoint;
import dev.muster.admission.core.TrainJob.Deadlines;
import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.Elastic;
import dev.muster.admission.core.TrainJob.Failure;
import dev.muster.admission.core.TrainJob.FailureRule;
import dev.muster.admission.core.TrainJob.Gang;
import dev.muster.admission.core.TrainJob.RemoteShell;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.Spec;
import dev.muster.admission.core.TrainJob.Success;
import dev.muster.schemas.contract.Defaults;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A specification as one text that is the same for two jobs exactly if they ask for the same.
 *
 * <p>Of our own fields only what says something is in it (no nulls, no empty collections, no {@code
 * false}), so a field that a later release adds does not change the text of jobs without it. Of a
 * template everything counts but the order of its members.
 */
final class Canonical {
    private final StringBuilder text = new StringBuilder();

    private Canonical() {}

    static String text(Spec spec) {
        var canonical = new Canonical();
        canonical.append(spec);
        return canonical.text.toString();
    }

    private void append(Spec spec) {
        field("queue", spec.queue());
        field("priority", spec.priority());
        field("priorityClass", spec.priorityClass());
        field("framework", spec.framework());
        field("nprocPerNode", spec.nprocPerNode());
        field("masterPort", spec.masterPort());
        field("suspend", spec.suspend());
        field("labels", spec.labels());
        field("annotations", spec.annotations());
        field("after", spec.after());
        field("gang", spec.gang());
        field("elastic", spec.elastic());
        field("roles", spec.roles());
        field("success", spec.success());
        field("failure", spec.failure());
        field("deadlines", spec.deadlines());
        field("cleanup", spec.cleanup());
        field("ttlAfterFinished", spec.ttlAfterFinished());
        field("gracePeriod", spec.gracePeriod());
        field("checkpoint", spec.checkpoint());
        field("resourceLimits", spec.resourceLimits());
        field("podDisruptionBudget", spec.podDisruptionBudget());
        field("shell", spec.shell() == RemoteShell.AGENT ? null : spec.shell());
    }

    private void append(Role role) {
        field("name", role.name());
        field("replicas", role.replicas());
        field("min", role.min());
        field("elastic", role.elastic());
        field("dependsOn", role.dependsOn());
        field("spotCount", role.spotCount());
        field("hostNetwork", role.hostNetwork());
        field("failure", role.failure());
        field("critical", role.critical());
        var content = role.template().content();
        field("template", content == null ? role.template().json() : content);
    }

    private void append(Failure failure) {
        field("backoffLimit", failure.backoffLimit());
        field("infrastructureLimit", failure.infrastructureLimit());
        field("window", failure.window());
        field("delayInitial", failure.delayInitial());
        field("delayMax", failure.delayMax());
        field("settle", failure.settle());
        field("nodeLostAfter", failure.nodeLostAfter());
        field("nodeLost", failure.nodeLost());
        field("rules", failure.rules());
    }

    private void append(FailureRule rule) {
        for (var codes : rule.exitCodes()) {
            field("first", codes.first());
            field("last", codes.last());
        }
        field("reasons", rule.reasons());
        field("role", rule.role());
        field("action", rule.action());
        field("message", rule.message());
        var factor = rule.factorThousandths();
        field(
                "factorThousandths",
                factor == null || factor == Defaults.MEMORY_GROWTH ? null : factor);
        field("max", rule.max());
    }

    private void field(String name, @Nullable Object value) {
        if (saysSomething(value)) {
            text.append(name).append('=');
            append(value);
        }
    }

    private static boolean saysSomething(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Boolean bool -> bool;
            case Collection<?> elements -> !elements.isEmpty();
            case Map<?, ?> map -> !map.isEmpty();
            default -> true;
        };
    }

    private void append(@Nullable Object value) {
        text.append('(');
        switch (value) {
            case null -> text.append("null");
            // The length comes first, so that no text can pretend to be two.
            case String string -> text.append(string.length()).append(':').append(string);
            case Map<?, ?> map -> append(map);
            case Collection<?> elements -> elements.forEach(this::append);
            case Number number ->
                    text.append(new BigDecimal(number.toString()).stripTrailingZeros());
            case Duration duration -> text.append(nanos(duration));
            case Enum<?> constant -> text.append(constant.name());
            case Role role -> append(role);
            case Failure failure -> append(failure);
            case FailureRule rule -> append(rule);
            case Dependency(var on, var phase) -> {
                field("on", on);
                field("phase", phase);
            }
            case Gang(var min, var timeout, var topology, var key) -> {
                field("min", min);
                field("timeout", timeout);
                field("topology", topology);
                field("topologyKey", key);
            }
            case Elastic(var min, var max, var scaling, var cooldown) -> {
                field("min", min);
                field("max", max);
                field("scaling", scaling);
                field("cooldown", cooldown);
            }
            case Success(var when, var role) -> {
                field("when", when);
                field("role", role);
            }
            case Deadlines(var queue, var start, var run) -> {
                field("queue", queue);
                field("start", start);
                field("run", run);
            }
            case Checkpoint(var signal, var timeout) -> {
                field("signal", signal);
                field("timeout", timeout);
            }
            case Boolean bool -> text.append(bool);
            default -> throw new IllegalArgumentException("no form for " + value.getClass());
        }
        text.append(')');
    }

    /** Of a duration of any length: a long of them ends after 292 years. */
    private static BigInteger nanos(Duration duration) {
        return BigInteger.valueOf(duration.getSeconds())
                .multiply(BigInteger.valueOf(1_000_000_000))
                .add(BigInteger.valueOf(duration.getNano()));
    }

    private void append(Map<?, ?> map) {
        var sorted = new TreeMap<String, @Nullable Object>();
        map.forEach((key, value) -> sorted.put(String.valueOf(key), value));
        sorted.forEach((key, value) -> {
            append((Object) key);
            append(value);
        });
    }
}
