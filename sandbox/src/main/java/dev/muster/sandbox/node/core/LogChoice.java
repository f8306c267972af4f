package dev.muster.sandbox.node.core;

import dev.muster.sandbox.node.core.RunState.Ended;
import dev.muster.sandbox.node.core.RunState.Running;
import dev.muster.sandbox.node.core.RunState.Waiting;

/** Which incarnation of a container somebody means who asks for its log. */
public sealed interface LogChoice {
    /** This one. */
    record Incarnation(int number) implements LogChoice {}

    /** The pod has no such container. */
    record NoContainer(String message) implements LogChoice {}

    /** There is no log now, or no such log any more. */
    record NoLog(String message) implements LogChoice {}

    /**
     * Chooses as a kubelet does.
     *
     * @param previous asks for the end before the present state, as the pod's status shows it
     */
    static LogChoice of(
            PodRules rules, PodShape shape, PodRun run, String container, boolean previous) {
        var unit = shape.all().filter(u -> u.name().equals(container)).findFirst();
        if (unit.isEmpty()) {
            return new NoContainer("container \"%s\" not found in this pod".formatted(container));
        }
        var known = run.of(container);
        int now = known.restarts();
        boolean lastIsNow =
                known.state() instanceof Waiting || rules.backsOff(shape, run, unit.get());
        if (previous) {
            boolean was = lastIsNow ? known.started() : known.last() != null;
            return was
                    ? new Incarnation(lastIsNow ? now : now - 1)
                    : new NoLog(
                            "previous terminated container \"%s\" not found".formatted(container));
        }
        return switch (known.state()) {
            case Waiting(var reason, var message, _) when known.last() == null ->
                    new NoLog(
                            "container \"%s\" is waiting to start: %s %s"
                                    .formatted(
                                            container,
                                            reason.isEmpty() ? "ContainerCreating" : reason,
                                            message)
                                    .strip());
            case Waiting _, Ended _, Running _ -> new Incarnation(now);
        };
    }
}
