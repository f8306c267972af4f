package dev.muster.sandbox.node.core;

import dev.muster.sandbox.node.core.RestartDelay.Backoff;
import dev.muster.sandbox.node.core.RunState.Ended;
import dev.muster.sandbox.node.core.RunState.Running;
import dev.muster.sandbox.node.core.RunState.Waiting;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one container.
 *
 * @param restarts how often it was started again; also the number of its incarnation
 * @param last the end before the present state, if there was one
 * @param backoff the wait that its next restart has; null before the first restart
 * @param ready what its readiness probe said last; true without one
 */
public record ContainerRun(
        int restarts,
        RunState state,
        @Nullable Ended last,
        @Nullable Backoff backoff,
        boolean ready) {

    static final ContainerRun NONE = new ContainerRun(0, Waiting.TURN, null, null, false);

    /** It could not be started, for a reason that may pass. */
    public ContainerRun held(String reason, String message, Instant retryAt) {
        var before = state instanceof Ended ended ? ended : last;
        return new ContainerRun(
                restarts, new Waiting(reason, message, retryAt), before, backoff, false);
    }

    /** It is about to be started, for the first time or again. */
    ContainerRun starting(boolean probed, RestartDelay delay, Instant now) {
        var before = state instanceof Ended ended ? ended : last;
        return before == null
                ? new ContainerRun(0, new Running(now), null, backoff, !probed)
                : new ContainerRun(
                        restarts + 1,
                        new Running(now),
                        before,
                        delay.next(backoff, before.finishedAt(), now),
                        !probed);
    }

    /** Its process ended. */
    public ContainerRun ended(Ended end) {
        return new ContainerRun(restarts, end, last, backoff, false);
    }

    /** Its readiness probe changed its mind. */
    public ContainerRun readiness(boolean nowReady) {
        return new ContainerRun(restarts, state, last, backoff, nowReady);
    }

    boolean running() {
        return state instanceof Running;
    }

    /** Whether a process of it ever was. */
    boolean started() {
        return !(state instanceof Waiting) || last != null;
    }
}
