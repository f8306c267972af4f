package dev.muster.coordinator.core;

import dev.muster.coordinator.core.state.Effect.RunPlan;
import java.util.List;

/** Whom a plan names, as {@code role-index}. */
final class Planned {
    private Planned() {}

    /** The launcher's host list. */
    static List<String> hosts(RunPlan plan) {
        return plan.pods().stream()
                .filter(pod -> pod.part().host())
                .map(pod -> pod.rank().toString())
                .toList();
    }

    static List<String> pods(RunPlan plan) {
        return plan.pods().stream().map(pod -> pod.rank().toString()).toList();
    }
}
