package dev.muster.sandbox.clock;

import java.time.Instant;

/**
 * What a JVM under {@link ClockAgent} takes for its machine's clock. The monotonic one is as it is,
 * as when somebody sets the real clock.
 */
public final class WallClock {
    private static volatile long aheadMillis;

    private WallClock() {}

    /**
     * Sets it.
     *
     * @param millis by which it is ahead of the real one; less than 0: behind it
     */
    public static void set(long millis) {
        aheadMillis = millis;
    }

    /** In the stead of the method of {@link System}. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis() + aheadMillis;
    }

    /** In the stead of the method of {@link Instant}, where the JDK makes the current one. */
    public static Instant ofEpochSecond(long second, long nanos) {
        return Instant.ofEpochSecond(second, nanos).plusMillis(aheadMillis);
    }
}
