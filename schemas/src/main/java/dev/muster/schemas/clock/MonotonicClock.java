package dev.muster.schemas.clock;

import java.time.Instant;
import java.time.InstantSource;

/** Time for waits and deadlines: it goes on evenly whatever is done to the machine's clock. */
public final class MonotonicClock implements InstantSource {
    private final Instant origin = Instant.now();
    private final long start = System.nanoTime();

    @Override
    public Instant instant() {
        return origin.plusNanos(System.nanoTime() - start);
    }
}
