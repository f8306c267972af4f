package dev.muster.sandbox.node.core;

import dev.muster.sandbox.node.core.PodShape.Unit;
import dev.muster.sandbox.node.core.RunState.Ended;
import dev.muster.sandbox.node.core.RunState.Running;
import dev.muster.sandbox.node.core.RunState.Waiting;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a node reports of a pod, in Kubernetes' own words. */
public final class PodStatuses {
    /** The only address of the machine that pods can rely on. */
    public static final String HOST_IP = "127.0.0.1";

    private static final String IMAGE = "sandbox";
    private static final int UNKNOWN = 137;

    private final Pod pod;
    private final PodShape shape;
    private final PodRules rules;

    public PodStatuses(Pod pod, PodShape shape, PodRules rules) {
        this.pod = pod;
        this.shape = shape;
        this.rules = rules;
    }

    /**
     * The pod's status now.
     *
     * @param over nothing of the pod runs and nothing will ({@link PodRules.Next#over})
     * @param before the conditions that were reported last, for their transition times
     */
    public PodStatus of(PodRun run, boolean over, List<PodCondition> before, Instant now) {
        var phase = PodPhase.of(shape, run, over);
        var inits = statuses(shape.inits(), pod.getSpec().getInitContainers(), run, over);
        var mains = statuses(shape.mains(), pod.getSpec().getContainers(), run, over);
        var conditions =
                new PodConditions(shape, phase, before, now)
                        .of(run, Stream.concat(inits.stream(), mains.stream()));
        String address = PodAddress.of(pod);
        var status =
                new PodStatusBuilder()
                        .withPhase(phase.kubernetes)
                        .withStartTime(Times.kubernetes(run.since()))
                        .withHostIP(HOST_IP)
                        .addNewHostIP()
                        .withIp(HOST_IP)
                        .endHostIP()
                        .withPodIP(address)
                        .addNewPodIP()
                        .withIp(address)
                        .endPodIP()
                        .withConditions(conditions)
                        .withInitContainerStatuses(inits)
                        .withContainerStatuses(mains);
        var why = run.why();
        if (phase == PodPhase.FAILED && !why.reason.isEmpty()) {
            status.withReason(why.reason).withMessage(why.message);
        }
        return status.build();
    }

    /** The end of a container of which nobody can say that it did its work. */
    public static Ended unknownEnd(Instant startedAt, Instant now) {
        return new Ended(
                UNKNOWN,
                "ContainerStatusUnknown",
                "The container could not be located when the pod was terminated",
                startedAt,
                now);
    }

    private List<ContainerStatus> statuses(
            List<Unit> units, List<Container> specs, PodRun run, boolean over) {
        return Stream.iterate(0, i -> i < units.size(), i -> i + 1)
                .map(i -> status(units.get(i), specs.get(i), run, over))
                .toList();
    }

    private ContainerStatus status(Unit unit, Container spec, PodRun run, boolean over) {
        var container = run.of(unit);
        boolean init = shape.inits().contains(unit);
        var status =
                new ContainerStatusBuilder()
                        .withName(unit.name())
                        .withImage(spec.getImage() == null ? "" : spec.getImage())
                        .withImageID(container.started() ? IMAGE : "")
                        .withRestartCount(container.restarts())
                        .withReady(isReady(unit, init, container))
                        .withStarted(container.running())
                        .withState(state(unit, run, over));
        if (container.started()) {
            status.withContainerID(id(unit, container.restarts()));
        }
        if (waitsAgain(unit, run, over) && container.state() instanceof Ended end) {
            status.withLastState(ended(end, id(unit, container.restarts())));
        } else if (container.last() != null) {
            status.withLastState(ended(container.last(), id(unit, before(container))));
        }
        return status.build();
    }

    private static boolean isReady(Unit unit, boolean init, ContainerRun container) {
        boolean mustEnd = init && !unit.sidecar();
        return mustEnd
                ? container.state() instanceof Ended end && end.exitCode() == 0
                : container.running() && container.ready();
    }

    private ContainerState state(Unit unit, PodRun run, boolean over) {
        var container = run.of(unit);
        return switch (container.state()) {
            case Running(var startedAt) ->
                    new ContainerStateBuilder().withNewRunning(Times.kubernetes(startedAt)).build();
            case Ended end when waitsAgain(unit, run, over) -> crashLoop(unit, container);
            case Ended end -> ended(end, id(unit, container.restarts()));
            case Waiting _ when over && initialized(run) ->
                    ended(unknownEnd(Instant.EPOCH, Instant.EPOCH), null);
            case Waiting(var reason, var message, _) ->
                    waiting(reason.isEmpty() ? turn() : reason, message);
        };
    }

    private boolean initialized(PodRun run) {
        return shape.inits().stream()
                .allMatch(unit -> unit.sidecar() || run.of(unit).state() instanceof Ended);
    }

    private boolean waitsAgain(Unit unit, PodRun run, boolean over) {
        return !over && rules.backsOff(shape, run, unit);
    }

    private ContainerState crashLoop(Unit unit, ContainerRun container) {
        var backoff = container.backoff();
        long seconds = backoff == null ? 0 : backoff.delay().toSeconds();
        return waiting(
                "CrashLoopBackOff",
                "back-off %ds restarting failed container=%s pod=%s_%s(%s)"
                        .formatted(
                                seconds,
                                unit.name(),
                                pod.getMetadata().getName(),
                                pod.getMetadata().getNamespace(),
                                pod.getMetadata().getUid()));
    }

    private String turn() {
        return shape.inits().isEmpty() ? "ContainerCreating" : "PodInitializing";
    }

    private static ContainerState waiting(String reason, String message) {
        return new ContainerStateBuilder()
                .withNewWaiting()
                .withReason(reason)
                .withMessage(message.isEmpty() ? null : message)
                .endWaiting()
                .build();
    }

    private static ContainerState ended(Ended end, @Nullable String id) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(end.exitCode())
                .withReason(end.reason())
                .withMessage(end.message().isEmpty() ? null : end.message())
                .withStartedAt(Times.kubernetes(end.startedAt()))
                .withFinishedAt(Times.kubernetes(end.finishedAt()))
                .withContainerID(id)
                .endTerminated()
                .build();
    }

    /** The number of the incarnation that was before the present state. */
    private static int before(ContainerRun container) {
        return container.state() instanceof Waiting
                ? container.restarts()
                : container.restarts() - 1;
    }

    private String id(Unit unit, int incarnation) {
        return "sandbox://%s/%s/%d".formatted(pod.getMetadata().getUid(), unit.name(), incarnation);
    }
}
