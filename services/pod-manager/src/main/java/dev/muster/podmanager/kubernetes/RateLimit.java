package dev.muster.podmanager.kubernetes;

import dev.muster.podmanager.core.TokenBucket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Keeps requests to the API server within a rate and a number at once; waits on its callers. */
final class RateLimit {
    private final TokenBucket bucket;
    private final InstantSource clock;
    private final Semaphore atOnce;

    /** Never released: waiting for it is waiting. */
    private final Semaphore never = new Semaphore(0);

    RateLimit(TokenBucket bucket, int atOnce, InstantSource clock) {
        this.bucket = bucket;
        this.clock = clock;
        this.atOnce = new Semaphore(atOnce);
    }

    /** Waits for its turn; {@link #leave} gives the place back. */
    void enter() throws InterruptedException {
        var wait = take();
        if (wait.isPositive()) {
            var _ = never.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS);
        }
        atOnce.acquire();
    }

    void leave() {
        atOnce.release();
    }

    /** The server asked for quiet. */
    synchronized void pause(Duration quiet) {
        bucket.pause(clock.instant().plus(quiet));
    }

    private synchronized Duration take() {
        return bucket.take(clock.instant());
    }
}
