package dev.muster.streams;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long whoever reads changelogs may wait for records of them. What is read has just changed
 * where tasks are taken over: those that follow are added between two waits, and each is done only
 * after one. Otherwise nobody waits, and rounds are few.
 *
 * <p>For one thread.
 */
final class Haste {
    /** All tasks of a takeover are added and read within it, unless there is much to read. */
    private static final long LASTS_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LongSupplier nanoTime;
    private boolean hasBegun;
    private long since;

    /**
     * @param nanoTime of the monotonic clock
     */
    Haste(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Something else is read from now on. */
    void begin() {
        hasBegun = true;
        since = nanoTime.getAsLong();
    }

    /** For so long records may be waited for, where the caller would wait for {@code patience}. */
    Duration patience(Duration patience) {
        boolean lasts = hasBegun && nanoTime.getAsLong() - since < LASTS_NANOS;
        return lasts ? Rounds.soon(patience) : patience;
    }
}
