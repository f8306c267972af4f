package dev.muster.podmanager.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done again and again, each on a thread of its own: what takes long holds none up. */
final class Clockwork {
    private static final Logger log = LoggerFactory.getLogger(Clockwork.class);

    private final List<ScheduledExecutorService> threads = new ArrayList<>();

    /**
     * From now on, until {@link #stop}; what goes wrong is left to the next time.
     *
     * @param period before the first time, and between the end of one and the beginning of the next
     */
    synchronized void every(Duration period, Runnable task) {
        begin(period, period, task);
    }

    /** The same, with the first time now. */
    synchronized void atOnceAndEvery(Duration period, Runnable task) {
        begin(Duration.ZERO, period, task);
    }

    private void begin(Duration first, Duration period, Runnable task) {
        var thread = Executors.newSingleThreadScheduledExecutor();
        threads.add(thread);
        var _ =
                thread.scheduleWithFixedDelay(
                        () -> {
                            try {
                                task.run();
                            } catch (RuntimeException e) {
                                log.atWarn()
                                        .addKeyValue("why", e.toString())
                                        .log("left to the next time");
                            }
                        },
                        first.toMillis(),
                        period.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /** Interrupts what is under way, and begins nothing more. */
    synchronized void stop() {
        threads.forEach(ExecutorService::shutdownNow);
        threads.clear();
    }
}
