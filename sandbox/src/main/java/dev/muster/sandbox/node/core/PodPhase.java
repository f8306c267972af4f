package dev.muster.sandbox.node.core;

import dev.muster.sandbox.node.core.PodShape.Unit;
import dev.muster.sandbox.node.core.RunState.Ended;
import dev.muster.sandbox.node.core.RunState.Running;
import dev.muster.sandbox.node.core.RunState.Waiting;
import java.util.List;

/** The phase of a pod, computed from its containers as a kubelet does. */
enum PodPhase {
    PENDING("Pending"),
    RUNNING("Running"),
    SUCCEEDED("Succeeded"),
    FAILED("Failed");

    final String kubernetes;

    PodPhase(String kubernetes) {
        this.kubernetes = kubernetes;
    }

    /**
     * @param over nothing runs and nothing will. No phase is final before that, not even when an
     *     init container has failed and a sidecar is still being stopped.
     */
    static PodPhase of(PodShape shape, PodRun run, boolean over) {
        if (over) {
            return end(shape, run);
        }
        boolean initPending =
                shape.inits().stream()
                        .filter(unit -> !unit.sidecar())
                        .anyMatch(unit -> isPending(run.of(unit)));
        boolean sidecarPending =
                shape.inits().stream()
                        .filter(Unit::sidecar)
                        .anyMatch(unit -> !run.of(unit).started());
        boolean mainPending = shape.mains().stream().anyMatch(unit -> !run.of(unit).started());
        return initPending || sidecarPending || mainPending ? PENDING : RUNNING;
    }

    private static PodPhase end(PodShape shape, PodRun run) {
        boolean evicted = run.ending() != null && run.ending().why() != PodRun.Why.DELETED;
        List<Unit> mustSucceed = shape.all().filter(unit -> !unit.sidecar()).toList();
        return !evicted && mustSucceed.stream().allMatch(unit -> succeeded(run.of(unit)))
                ? SUCCEEDED
                : FAILED;
    }

    private static boolean isPending(ContainerRun init) {
        return switch (init.state()) {
            case Running _ -> true;
            case Waiting _ -> init.last() == null;
            case Ended _ -> false;
        };
    }

    private static boolean succeeded(ContainerRun container) {
        var end = container.state() instanceof Ended ended ? ended : container.last();
        return end != null && end.exitCode() == 0 && !container.running();
    }
}
