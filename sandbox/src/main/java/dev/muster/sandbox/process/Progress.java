package dev.muster.sandbox.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Hears of steps that take longer than two seconds.
 *
 * <p>Called from several threads when steps run side by side.
 */
public interface Progress {
    /** How long a step is silent, and how often it then reports. */
    Duration PATIENCE = Duration.ofSeconds(2);

    /** The step goes on and has taken this many whole seconds so far. */
    void running(String step, long seconds);

    /** The step is over, well or not, after this many whole seconds; said only if it ever ran. */
    void ended(String step, long seconds);

    /** Something that people should know, in one line. */
    default void say(String line) {}

    /** Hears nothing. */
    static Progress silent() {
        return new Progress() {
            @Override
            public void running(String step, long seconds) {}

            @Override
            public void ended(String step, long seconds) {}
        };
    }

    /** Does the work on the caller's thread, reporting from another while it lasts. */
    default <T> T during(String step, Supplier<T> work) {
        var over = new CountDownLatch(1);
        long start = System.nanoTime();
        var reporter = Thread.ofVirtual().name("progress").start(() -> report(step, start, over));
        try {
            return work.get();
        } finally {
            over.countDown();
            join(reporter);
        }
    }

    private void report(String step, long start, CountDownLatch over) {
        boolean said = false;
        try {
            while (!over.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                running(step, secondsSince(start));
                said = true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (said) {
            ended(step, secondsSince(start));
        }
    }

    private static long secondsSince(long start) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }

    private static void join(Thread reporter) {
        try {
            reporter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
