package dev.muster.podmanager.core;

import java.time.Duration;
import java.time.Instant;

/** Limits how often something is done: at a rate, with a burst after a rest. For one thread. */
public final class TokenBucket {
    private final double nanosPerToken;
    private final Duration depth;

    /** When the next token falls due if nothing is saved up; lies in the past after a rest. */
    private Instant next;

    /**
     * @param perSecond more than 0
     * @param burst how many may come at once after a rest, 1 or more
     */
    public TokenBucket(double perSecond, int burst, Instant now) {
        this.nanosPerToken = 1e9 / perSecond;
        this.depth = Duration.ofNanos((long) (nanosPerToken * (burst - 1)));
        this.next = now.minus(depth);
    }

    /** Takes a token, on credit if need be: how long to wait before using it. */
    public Duration take(Instant now) {
        var fullest = now.minus(depth);
        var due = next.isBefore(fullest) ? fullest : next;
        next = due.plusNanos((long) nanosPerToken);
        return due.isAfter(now) ? Duration.between(now, due) : Duration.ZERO;
    }

    /** No token falls due before {@code until}: the other side asked for quiet. */
    public void pause(Instant until) {
        if (next.isBefore(until)) {
            next = until;
        }
    }
}
