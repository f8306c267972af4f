package dev.muster.sandbox.node.core;

import dev.muster.sandbox.node.core.PodRun.Why;
import dev.muster.sandbox.node.core.PodShape.Unit;
import dev.muster.sandbox.node.core.RunState.Ended;
import dev.muster.sandbox.node.core.RunState.Running;
import dev.muster.sandbox.node.core.RunState.Waiting;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides, as a kubelet does, which container of a pod starts and which is stopped. */
public final class PodRules {
    private final RestartDelay delay;

    /**
     * What is to be done for a pod now.
     *
     * @param start the one container to start
     * @param stop containers to end, and when to kill them
     * @param wake when to ask again if nothing happens before
     * @param over nothing runs and nothing will
     */
    public record Next(
            Optional<String> start,
            Map<String, Instant> stop,
            Optional<Instant> wake,
            boolean over) {

        static final Next WAIT = new Next(Optional.empty(), Map.of(), Optional.empty(), false);
        static final Next OVER = new Next(Optional.empty(), Map.of(), Optional.empty(), true);

        static Next start(Unit unit) {
            return new Next(Optional.of(unit.name()), Map.of(), Optional.empty(), false);
        }

        private Next orWakeAt(@Nullable Instant at) {
            var first = earlier(wake.orElse(null), at);
            return new Next(start, stop, Optional.ofNullable(first), over);
        }
    }

    public PodRules(RestartDelay delay) {
        this.delay = delay;
    }

    /** What {@code now} means for the pod by itself: its time on the node may be over. */
    public PodRun due(PodShape shape, PodRun run, Instant now) {
        var deadline = shape.deadline().map(run.since()::plus);
        return run.ending() == null && deadline.isPresent() && !deadline.get().isAfter(now)
                ? run.ending(Why.DEADLINE, now.plus(shape.grace()))
                : run;
    }

    /** What is to be done now. Asked after each news of the pod, and at {@link Next#wake}. */
    public Next next(PodShape shape, PodRun run, Instant now) {
        if (run.ending() != null) {
            return stop(shape, run, run.ending().killAt());
        }
        var next = live(shape, run, now);
        return next.over()
                ? next
                : next.orWakeAt(shape.deadline().map(run.since()::plus).orElse(null));
    }

    /** The pod with one of its containers about to be started. */
    public PodRun starting(PodShape shape, PodRun run, String container, Instant now) {
        boolean probed =
                shape.all().anyMatch(unit -> unit.name().equals(container) && unit.probed());
        return run.with(container, was -> was.starting(probed, delay, now));
    }

    /** Whether a container that ended is left alone until its back-off is over. */
    boolean backsOff(PodShape shape, PodRun run, Unit unit) {
        var container = run.of(unit);
        return run.ending() == null
                && container.state() instanceof Ended end
                && shape.restarts(unit, end.exitCode())
                && delay.retryAt(container.backoff(), end.finishedAt()).isAfter(end.finishedAt());
    }

    private Next live(PodShape shape, PodRun run, Instant now) {
        if (isSettled(shape, run)) {
            return stop(shape, run, now.plus(shape.grace()));
        }
        Instant wake = null;
        for (int i = 0; i < shape.inits().size(); i++) {
            var unit = shape.inits().get(i);
            var container = run.of(unit);
            if (isFinished(shape, unit, container) || (unit.sidecar() && container.running())) {
                continue;
            }
            boolean due = !startsAt(container).isAfter(now);
            if (!container.running() && due) {
                return Next.start(unit);
            }
            wake = earlier(wake, container.running() ? null : startsAt(container));
            if (!unit.sidecar() || !laterStarted(shape, run, i)) {
                return Next.WAIT.orWakeAt(wake);
            }
        }
        return mains(shape, run, now).orWakeAt(wake);
    }

    private Next mains(PodShape shape, PodRun run, Instant now) {
        Instant wake = null;
        for (var unit : shape.mains()) {
            var container = run.of(unit);
            if (!container.running() && !isFinished(shape, unit, container)) {
                if (!startsAt(container).isAfter(now)) {
                    return Next.start(unit);
                }
                wake = earlier(wake, startsAt(container));
            }
        }
        return Next.WAIT.orWakeAt(wake);
    }

    /** Main containers and init containers first, together; then sidecars, the last one first. */
    private static Next stop(PodShape shape, PodRun run, Instant killAt) {
        var running = new LinkedHashMap<String, Instant>();
        shape.all()
                .filter(unit -> !unit.sidecar() && run.of(unit).running())
                .forEach(unit -> running.put(unit.name(), killAt));
        if (running.isEmpty()) {
            shape.inits().reversed().stream()
                    .filter(unit -> run.of(unit).running())
                    .findFirst()
                    .ifPresent(unit -> running.put(unit.name(), killAt));
        }
        return running.isEmpty()
                ? Next.OVER
                : new Next(Optional.empty(), running, Optional.empty(), false);
    }

    private Instant startsAt(ContainerRun container) {
        return switch (container.state()) {
            case Waiting(_, _, var retryAt) -> retryAt;
            case Running(var startedAt) -> startedAt;
            case Ended end -> delay.retryAt(container.backoff(), end.finishedAt());
        };
    }

    /** Its main containers have done what they can, or an init container has failed for good. */
    private static boolean isSettled(PodShape shape, PodRun run) {
        return shape.mains().stream().allMatch(unit -> isFinished(shape, unit, run.of(unit)))
                || shape.inits().stream()
                        .anyMatch(unit ->
                                isFinished(shape, unit, run.of(unit)) && failed(run.of(unit)));
    }

    /** It ended and is not started again. */
    private static boolean isFinished(PodShape shape, Unit unit, ContainerRun container) {
        return container.state() instanceof Ended end && !shape.restarts(unit, end.exitCode());
    }

    private static boolean failed(ContainerRun container) {
        return container.state() instanceof Ended end && end.exitCode() != 0;
    }

    private static boolean laterStarted(PodShape shape, PodRun run, int init) {
        List<Unit> later = shape.inits().subList(init + 1, shape.inits().size());
        return later.stream().anyMatch(unit -> run.of(unit).started())
                || shape.mains().stream().anyMatch(unit -> run.of(unit).started());
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isBefore(one)) ? other : one;
    }
}
