package dev.muster.sandbox.node.core;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The conditions of a pod that a kubelet owns; PodScheduled is the scheduler's and stays. */
final class PodConditions {
    private final PodShape shape;
    private final PodPhase phase;
    private final List<PodCondition> before;
    private final String now;

    PodConditions(PodShape shape, PodPhase phase, List<PodCondition> before, Instant now) {
        this.shape = shape;
        this.phase = phase;
        this.before = before;
        this.now = Times.kubernetes(now);
    }

    List<PodCondition> of(PodRun run, Stream<ContainerStatus> containers) {
        var initialized = initialized(run);
        var ready = ready(containers.filter(this::counts).toList());
        var all = new ArrayList<PodCondition>();
        all.add(
                condition(
                        "PodReadyToStartContainers",
                        phase == PodPhase.SUCCEEDED || phase == PodPhase.FAILED ? NO : YES));
        all.add(condition("Initialized", initialized));
        all.add(condition("Ready", ready));
        all.add(condition("ContainersReady", ready));
        return all;
    }

    /** Whether it holds, and if not, why. */
    private record Verdict(boolean holds, String reason, String message) {}

    private static final Verdict YES = new Verdict(true, "", "");
    private static final Verdict NO = new Verdict(false, "", "");

    private Verdict initialized(PodRun run) {
        if (phase == PodPhase.SUCCEEDED) {
            return new Verdict(true, "PodCompleted", "");
        }
        boolean mainStarted = shape.mains().stream().anyMatch(unit -> run.of(unit).started());
        var incomplete =
                shape.inits().stream()
                        .filter(unit -> !isComplete(unit, run.of(unit)))
                        .map(PodShape.Unit::name)
                        .toList();
        return mainStarted || incomplete.isEmpty()
                ? YES
                : new Verdict(
                        false,
                        "ContainersNotInitialized",
                        "containers with incomplete status: " + names(incomplete));
    }

    private static boolean isComplete(PodShape.Unit unit, ContainerRun run) {
        return unit.sidecar()
                ? run.running()
                : run.state() instanceof RunState.Ended end && end.exitCode() == 0;
    }

    private Verdict ready(List<ContainerStatus> counting) {
        return switch (phase) {
            case SUCCEEDED -> new Verdict(false, "PodCompleted", "");
            case FAILED -> new Verdict(false, "PodFailed", "");
            case PENDING, RUNNING -> {
                var unready =
                        counting.stream()
                                .filter(status -> !status.getReady())
                                .map(ContainerStatus::getName)
                                .toList();
                yield unready.isEmpty()
                        ? YES
                        : new Verdict(
                                false,
                                "ContainersNotReady",
                                "containers with unready status: " + names(unready));
            }
        };
    }

    private boolean counts(ContainerStatus status) {
        return shape.inits().stream()
                .noneMatch(unit -> unit.name().equals(status.getName()) && !unit.sidecar());
    }

    private PodCondition condition(String type, Verdict verdict) {
        String status = verdict.holds() ? "True" : "False";
        String since =
                before.stream()
                        .filter(old -> old.getType().equals(type))
                        .filter(old -> old.getStatus().equals(status))
                        .map(PodCondition::getLastTransitionTime)
                        .findFirst()
                        .orElse(now);
        return new PodConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(verdict.reason().isEmpty() ? null : verdict.reason())
                .withMessage(verdict.message().isEmpty() ? null : verdict.message())
                .withLastTransitionTime(since)
                .build();
    }

    /** As Go prints a list of strings. */
    private static String names(List<String> names) {
        return "[" + String.join(" ", names) + "]";
    }
}
