package dev.muster.sandbox.node.core;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Of a pod's spec, what decides which container runs when.
 *
 * @param inits in their order, sidecars among them
 * @param deadline how long the pod may be on the node
 * @param grace what a container gets between SIGTERM and SIGKILL if nobody says otherwise
 */
public record PodShape(
        RestartPolicy restart,
        List<Unit> inits,
        List<Unit> mains,
        Optional<Duration> deadline,
        Duration grace) {

    private static final long GRACE = 30;

    /**
     * One container.
     *
     * @param sidecar an init container that runs as long as the main ones do
     * @param probed not ready before its readiness probe says so
     * @param own when it is started again, where that is not as the pod says; null: as the pod says
     */
    public record Unit(String name, boolean sidecar, boolean probed, @Nullable ExitRestarts own) {}

    public PodShape {
        inits = List.copyOf(inits);
        mains = List.copyOf(mains);
    }

    public static PodShape of(Pod pod) {
        var spec = pod.getSpec();
        return new PodShape(
                RestartPolicy.of(Objects.requireNonNullElse(spec.getRestartPolicy(), "Always")),
                spec.getInitContainers().stream().map(PodShape::init).toList(),
                spec.getContainers().stream().map(c -> unit(c, false)).toList(),
                Optional.ofNullable(spec.getActiveDeadlineSeconds()).map(Duration::ofSeconds),
                Duration.ofSeconds(
                        Objects.requireNonNullElse(
                                spec.getTerminationGracePeriodSeconds(), GRACE)));
    }

    Stream<Unit> all() {
        return Stream.concat(inits.stream(), mains.stream());
    }

    /** Whether a container that ended so is started again; a sidecar always is. */
    boolean restarts(Unit unit, int exitCode) {
        if (unit.sidecar()) {
            return true;
        }
        // An init container that did its work is not repeated, whatever anybody says.
        boolean isDone = exitCode == 0 && inits.contains(unit);
        return !isDone
                && (unit.own() == null
                        ? restart.restarts(exitCode)
                        : unit.own().restarts(exitCode));
    }

    private static Unit init(Container container) {
        return unit(container, "Always".equals(container.getRestartPolicy()));
    }

    private static Unit unit(Container container, boolean sidecar) {
        return new Unit(
                container.getName(),
                sidecar,
                container.getReadinessProbe() != null,
                ExitRestarts.of(container));
    }
}
