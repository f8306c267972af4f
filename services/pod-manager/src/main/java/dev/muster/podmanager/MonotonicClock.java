package dev.muster.podmanager;

import java.time.Instant;
import java.time.InstantSource;
import org.springframework.stereotype.Component;

/** Time for waits and deadlines: it goes on evenly whatever is done to the machine's clock. */
@Component
final class MonotonicClock implements InstantSource {
    private final Instant origin = Instant.now();
    private final long start = System.nanoTime();

    @Override
    public Instant instant() {
        return origin.plusNanos(System.nanoTime() - start);
    }
}
