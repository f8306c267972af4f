package dev.muster.podmanager.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done again and again, each on a thread of its own: what takes long holds none up. */
final class Clockwork {
    private static final Logger log = LoggerFactory.getLogger(Clockwork.class);

    private final BiConsumer<String, Throwable> onEnd;
    private final List<ScheduledExecutorService> threads = new ArrayList<>();

    /**
     * @param onEnd is told the name of a task that is done no more, since it met an Error
     */
    Clockwork(BiConsumer<String, Throwable> onEnd) {
        this.onEnd = onEnd;
    }

    /**
     * From now on, until {@link #stop}; what goes wrong is left to the next time. An Error ends the
     * task.
     *
     * @param period before the first time, and between the end of one and the beginning of the next
     */
    synchronized void every(String name, Duration period, Runnable task) {
        begin(name, period, period, task);
    }

    /** The same, with the first time now. */
    synchronized void atOnceAndEvery(String name, Duration period, Runnable task) {
        begin(name, Duration.ZERO, period, task);
    }

    private void begin(String name, Duration first, Duration period, Runnable task) {
        var thread =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().name(name).factory());
        threads.add(thread);
        var _ =
                thread.scheduleWithFixedDelay(
                        () -> once(name, task),
                        first.toMillis(),
                        period.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private void once(String name, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            log.atWarn()
                    .addKeyValue("part", name)
                    .addKeyValue("why", e.toString())
                    .log("left to the next time");
        } catch (Error e) {
            onEnd.accept(name, e);
            throw e;
        }
    }

    /** Interrupts what is under way, and begins nothing more. */
    synchronized void stop() {
        threads.forEach(ExecutorService::shutdownNow);
        threads.clear();
    }
}
