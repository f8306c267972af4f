package dev.muster.streams;

import java.util.function.LongSupplier;

/**
 * Notices that the machine's clock is set back. Kafka Streams counts its commits, and its clients
 * their sessions, from moments by that clock: they would rest until it has caught up.
 *
 * <p>For many threads.
 */
final class WallClock {
    /** Less is caught up with before anybody misses a commit. */
    private static final long BEARABLE_MILLIS = 5_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LongSupplier millis;
    private final LongSupplier nanoTime;
    private final Runnable setBack;
    private long furthest = Long.MIN_VALUE;
    private boolean isTold;

    /**
     * @param millis of the wall clock, since the epoch
     * @param nanoTime of the monotonic clock
     * @param setBack called once, on the thread that looks
     */
    WallClock(LongSupplier millis, LongSupplier nanoTime, Runnable setBack) {
        this.millis = millis;
        this.nanoTime = nanoTime;
        this.setBack = setBack;
    }

    void look() {
        if (isSetBack()) {
            setBack.run();
        }
    }

    private synchronized boolean isSetBack() {
        long ahead = millis.getAsLong() - nanoTime.getAsLong() / NANOS_PER_MILLI;
        if (isTold || ahead >= furthest) {
            furthest = Math.max(furthest, ahead);
            return false;
        }
        isTold = furthest - ahead > BEARABLE_MILLIS;
        return isTold;
    }
}
