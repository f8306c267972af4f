package dev.muster.watcher;

import java.time.Instant;
import java.time.InstantSource;

/** The time since this process began to count, put on the wall clock's face: it never goes back. */
final class MonotonicClock implements InstantSource {
    private final Instant start = Instant.now();
    private final long origin = System.nanoTime();

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - origin);
    }
}
