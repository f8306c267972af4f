package dev.muster.coordinator.stream.avro;

import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.schemas.contract.Defaults;
import dev.muster.v1.FailureRule;
import dev.muster.v1.FailureSpec;
import dev.muster.v1.Framework;
import dev.muster.v1.NodeLostPolicy;
import dev.muster.v1.RoleSpec;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What users say of failures, with what follows where they say nothing. */
final class InboundFailures {
    private InboundFailures() {}

    static FailurePolicy ofJob(TrainJobSpec spec) {
        var failure = spec.getFailure();
        return policy(spec, failure == null ? FailureSpec.newBuilder().build() : failure);
    }

    /** Null: the job's. */
    static @Nullable FailurePolicy ofRole(TrainJobSpec spec, RoleSpec role) {
        var failure = role.getFailure();
        return failure == null ? null : policy(spec, failure);
    }

    private static FailurePolicy policy(TrainJobSpec spec, FailureSpec failure) {
        return new FailurePolicy(
                otherwise(spec),
                new FailurePolicy.Limits(
                        failure.getBackoffLimit(),
                        failure.getInfrastructureLimit(),
                        Duration.ofMillis(failure.getWindowMillis())),
                new FailurePolicy.Delay(
                        Duration.ofMillis(failure.getDelayInitialMillis()),
                        Duration.ofMillis(failure.getDelayMaxMillis())),
                Duration.ofMillis(failure.getSettleMillis()),
                new FailurePolicy.NodeLost(
                        Duration.ofMillis(failure.getNodeLostAfterMillis()),
                        failure.getNodeLost() == NodeLostPolicy.FORCE),
                failure.getRules().stream().map(InboundFailures::rule).toList());
    }

    /** Where ranks come and go by design the others go on; else they are useless without it. */
    private static Otherwise otherwise(TrainJobSpec spec) {
        return spec.getElastic() != null || spec.getFramework() == Framework.HOROVOD
                ? Otherwise.POD
                : Otherwise.GANG;
    }

    private static FailurePolicy.Rule rule(FailureRule rule) {
        return new FailurePolicy.Rule(
                rule.getExitCodes().stream()
                        .map(codes ->
                                new FailurePolicy.ExitCodes(codes.getFirst(), codes.getLast()))
                        .toList(),
                rule.getReasons(),
                rule.getRole(),
                action(rule));
    }

    private static Action growth(FailureRule rule) {
        // Admission fills it in; jobs of before it did say nothing.
        var factor = rule.getFactorThousandths();
        var max = rule.getMax();
        return new Action.GrowMemory(
                factor == null ? Defaults.MEMORY_GROWTH : factor,
                max == null ? 0 : Fields.amount("memory", max, "spec.failure.rules.max"));
    }

    private static Action action(FailureRule rule) {
        return switch (rule.getAction()) {
            case RESTART_POD -> new Action.RestartPod();
            case RESTART_ROLE -> new Action.RestartRole();
            case RESTART_GANG -> new Action.RestartGang();
            case FAIL -> new Action.Fail(rule.getMessage());
            case IGNORE -> new Action.Ignore();
            case EXCLUDE_NODE -> new Action.ExcludeNode();
            case GROW_MEMORY -> growth(rule);
            case RESTART_IN_PLACE -> new Action.RestartInPlace();
            case UNKNOWN ->
                    throw new UnusableEventException(
                            "spec.failure.rules: action %s is not known here"
                                    .formatted(rule.getAction()));
        };
    }
}
