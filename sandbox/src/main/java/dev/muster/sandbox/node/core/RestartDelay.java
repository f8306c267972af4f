package dev.muster.sandbox.node.core;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long a container that ends again and again is left alone: the first restart is at once, the
 * next waits {@code initial}, and each wait doubles up to {@code max}. Who ran for twice {@code
 * max} begins anew.
 */
public record RestartDelay(Duration initial, Duration max) {
    /** The kubelet's own. */
    public static final RestartDelay KUBELET =
            new RestartDelay(Duration.ofSeconds(10), Duration.ofMinutes(5));

    /**
     * The wait that the next restart has.
     *
     * @param since when the last restart was
     */
    public record Backoff(Duration delay, Instant since) {}

    public RestartDelay {
        if (initial.isNegative() || max.compareTo(initial) < 0) {
            throw new IllegalArgumentException(
                    "a restart delay grows from 0s or more to at least that, was %s to %s"
                            .formatted(initial, max));
        }
    }

    /** When a container that ended at {@code finishedAt} may start again. */
    Instant retryAt(@Nullable Backoff backoff, Instant finishedAt) {
        return backoff == null || forgotten(backoff, finishedAt)
                ? finishedAt
                : finishedAt.plus(backoff.delay());
    }

    /**
     * What stands after a restart at {@code now} of a container that ended at {@code finishedAt}.
     */
    Backoff next(@Nullable Backoff backoff, Instant finishedAt, Instant now) {
        if (backoff == null || forgotten(backoff, finishedAt)) {
            return new Backoff(initial, now);
        }
        var doubled = backoff.delay().multipliedBy(2);
        return new Backoff(doubled.compareTo(max) < 0 ? doubled : max, now);
    }

    private boolean forgotten(Backoff backoff, Instant finishedAt) {
        return finishedAt.isAfter(backoff.since().plus(max.multipliedBy(2)));
    }
}
