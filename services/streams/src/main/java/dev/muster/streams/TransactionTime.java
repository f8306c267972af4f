package dev.muster.streams;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long one thread's transactions may take before the broker aborts them. What was aborted is
 * done again, and if it needs more time than it is given, so would it be for ever; so each further
 * try is given twice as long. Without cause it is not: a transaction of a process that died, if
 * nobody takes its tasks over, blocks whoever reads what is committed for as long.
 *
 * <p>For one thread at a time.
 */
final class TransactionTime {
    /** A broker allows 15 minutes, unless it is told otherwise. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    /** Whatever went well for so long was not aborted for being slow. */
    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Duration first;
    private final LongSupplier nanoTime;
    private Duration last = Duration.ZERO;
    private long givenAt;

    /**
     * @param first as configured; longer than {@link #LONGEST}, it never changes
     * @param nanoTime of the monotonic clock
     */
    TransactionTime(Duration first, LongSupplier nanoTime) {
        this.first = first;
        this.nanoTime = nanoTime;
    }

    /** For the producer that is made now; the one before, if there was one, is no more. */
    Duration next() {
        var now = nanoTime.getAsLong();
        last =
                last.isZero() || now - givenAt > FORGOTTEN_NANOS
                        ? first
                        : max(first, min(LONGEST, last.multipliedBy(2)));
        givenAt = now;
        return last;
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
