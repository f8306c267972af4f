package dev.muster.bench.jobs;

import dev.muster.cli.CommandFailedException;
import java.util.concurrent.locks.LockSupport;

/** Moments on this JVM's own clock, {@link System#nanoTime}. */
public final class Moments {
    private Moments() {}

    /** Waits for the moment; how long the wait was overdone is the scheduler's. */
    public static void await(long moment) {
        for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                throw CommandFailedException.failed("interrupted", null);
            }
        }
    }
}
