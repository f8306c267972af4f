package dev.muster.bench.system;

import dev.muster.sandbox.process.Progress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Takes the time of every step; steps may run side by side. */
public final class StepTimes implements Progress {
    private final Map<String, Duration> steps = new LinkedHashMap<>();

    @Override
    public void running(String step, long seconds) {}

    @Override
    public void ended(String step, long seconds) {}

    @Override
    public <T> T during(String step, Supplier<T> work) {
        long began = System.nanoTime();
        try {
            return work.get();
        } finally {
            took(step, Duration.ofNanos(System.nanoTime() - began));
        }
    }

    /** The same for a step that may come again. */
    public synchronized void tookFirst(String step, Duration time) {
        steps.putIfAbsent(step, time);
    }

    public synchronized void took(String step, Duration time) {
        steps.put(step, time);
    }

    /** In the order in which they ended. */
    public synchronized Map<String, Duration> all() {
        return new LinkedHashMap<>(steps);
    }
}
