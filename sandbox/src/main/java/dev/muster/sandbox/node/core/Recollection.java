package dev.muster.sandbox.node.core;

import dev.muster.sandbox.node.core.RunState.Ended;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the API server remembers of a pod whose folder a node does not have. What ran then is gone,
 * and nobody knows how it ended.
 */
public final class Recollection {
    private static final Set<String> FINAL = Set.of("Succeeded", "Failed");

    private Recollection() {}

    /** Whether the pod is over for good: its phase is final. */
    public static boolean isFinal(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getPhase() != null
                && FINAL.contains(pod.getStatus().getPhase());
    }

    /** The pod as far as its status tells; a pod without a status is taken at {@code now}. */
    public static PodRun of(Pod pod, Instant now) {
        var status = pod.getStatus();
        if (status == null || status.getStartTime() == null) {
            return PodRun.taken(now);
        }
        var run = PodRun.taken(Instant.parse(status.getStartTime()));
        var known = List.of(status.getInitContainerStatuses(), status.getContainerStatuses());
        for (var container : known.stream().flatMap(List::stream).toList()) {
            var end = end(container, now);
            if (end.isPresent()) {
                run =
                        run.with(
                                container.getName(),
                                _ ->
                                        new ContainerRun(
                                                container.getRestartCount(),
                                                end.get(),
                                                null,
                                                null,
                                                false));
            }
        }
        return run;
    }

    private static Optional<Ended> end(ContainerStatus status, Instant now) {
        var running = status.getState() == null ? null : status.getState().getRunning();
        if (running != null) {
            return Optional.of(PodStatuses.unknownEnd(Instant.parse(running.getStartedAt()), now));
        }
        return Stream.of(status.getState(), status.getLastState())
                .filter(Objects::nonNull)
                .map(state -> state.getTerminated())
                .filter(Objects::nonNull)
                .findFirst()
                .map(Recollection::ended);
    }

    private static Ended ended(ContainerStateTerminated end) {
        return new Ended(
                end.getExitCode(),
                Objects.requireNonNullElse(end.getReason(), ""),
                Objects.requireNonNullElse(end.getMessage(), ""),
                time(end.getStartedAt()),
                time(end.getFinishedAt()));
    }

    private static Instant time(@Nullable String at) {
        return at == null ? Instant.EPOCH : Instant.parse(at);
    }
}
