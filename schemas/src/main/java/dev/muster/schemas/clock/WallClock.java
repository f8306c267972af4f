package dev.muster.schemas.clock;

import java.util.function.LongSupplier;

/**
 * Notices that the machine's clock is set back. Kafka Streams counts its commits, and its clients
 * their sessions and when they may try again to reach a broker, from moments by that clock: they
 * would rest until it has caught up.
 *
 * <p>For many threads.
 */
public final class WallClock {
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
    public WallClock(LongSupplier millis, LongSupplier nanoTime, Runnable setBack) {
        this.millis = millis;
        this.nanoTime = nanoTime;
        this.setBack = setBack;
    }

    /** Of the machine that this process runs on, which was looked at just now. */
    public static WallClock ofThisMachine(Runnable setBack) {
        var clock = new WallClock(System::currentTimeMillis, System::nanoTime, setBack);
        clock.look();
        return clock;
    }

    /** To be called again and again: what happened between two looks is seen by the second. */
    public void look() {
        if (isSetBackNow()) {
            setBack.run();
        }
    }

    /** Whether any look, of which this is one, has seen that it was. */
    public boolean wasSetBack() {
        look();
        synchronized (this) {
            return isTold;
        }
    }

    private synchronized boolean isSetBackNow() {
        long ahead = millis.getAsLong() - nanoTime.getAsLong() / NANOS_PER_MILLI;
        if (isTold || ahead >= furthest) {
            furthest = Math.max(furthest, ahead);
            return false;
        }
        isTold = furthest - ahead > BEARABLE_MILLIS;
        return isTold;
    }
}
