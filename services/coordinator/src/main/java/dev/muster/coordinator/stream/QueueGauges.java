package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.effects.Effect;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What queues have and use, as last published: cpu in cores, everything else in whole units. A pool
 * shows its queues only while it is hosted here, and only so many in all, since each is a handful
 * of time series.
 */
final class QueueGauges {
    static final int MOST = 500;
    private static final String PREFIX = "muster.queue.";
    private static final String CPU = "cpu";
    private static final double MILLI = 1000;
    private static final String SECONDS = "seconds";

    /** How many waited no longer than each of these is counted. */
    private static final Duration[] WAITS = {
        Duration.ofMinutes(1),
        Duration.ofMinutes(10),
        Duration.ofHours(1),
        Duration.ofHours(6),
        Duration.ofDays(1)
    };

    private final MeterRegistry registry;
    private final Map<String, Shown> queues = new ConcurrentHashMap<>();
    private final AtomicInteger unshown = new AtomicInteger();

    QueueGauges(MeterRegistry registry) {
        this.registry = registry;
        registry.gauge(PREFIX + "unshown", unshown);
    }

    /** One queue. */
    private static final class Shown {
        private final SortedMap<String, Meter> meters = new TreeMap<>();
        private volatile Effect.QueueState state;

        /** Null: none of its jobs has started yet. */
        private @Nullable Timer waits;

        private Shown(Effect.QueueState state) {
            this.state = state;
        }

        private double of(ToDoubleFunction<Effect.QueueState> value) {
            return value.applyAsDouble(state);
        }
    }

    void show(String pool, Effect.QueueState state) {
        var key = key(pool, state.queue().name());
        var shown = queues.get(key);
        if (shown == null && queues.size() >= MOST) {
            unshown.incrementAndGet();
            return;
        }
        if (shown == null) {
            shown = new Shown(state);
            queues.put(key, shown);
        }
        shown.state = state;
        follow(pool, shown);
    }

    /** A meter for every number that it has now, and none for what it has no more. */
    private void follow(String pool, Shown shown) {
        var state = shown.state;
        var quota = state.queue().spec().quota();
        var wanted = new TreeMap<String, ToDoubleFunction<Effect.QueueState>>();
        wanted.put("waiting", Effect.QueueState::waiting);
        wanted.put("running", Effect.QueueState::running);
        wanted.put("in.line", Effect.QueueState::inLine);
        wanted.put("in.line.oldest", this::secondsInLine);
        wanted.put("paused", now -> now.queue().spec().doors().paused() ? 1 : 0);
        wanted.put("weight", now -> now.queue().spec().weight());
        for (var resource : resources(state)) {
            wanted.put("used/" + resource, now -> units(resource, now.used().get(resource)));
        }
        for (var resource : quota.limit().keySet()) {
            wanted.put(
                    "limit/" + resource,
                    now ->
                            units(
                                    resource,
                                    now.queue().spec().quota().limit().getOrDefault(resource, 0L)));
        }
        for (var resource : quota.guaranteed().byName().keySet()) {
            wanted.put(
                    "guaranteed/" + resource,
                    now -> units(resource, now.queue().spec().quota().guaranteed().get(resource)));
            wanted.put(
                    "borrowed/" + resource,
                    now ->
                            units(
                                    resource,
                                    now.queue().spec().quota().borrowed(now.used()).get(resource)));
        }
        shown.meters
                .entrySet()
                .removeIf(known -> {
                    boolean isOver = !wanted.containsKey(known.getKey());
                    if (isOver) {
                        registry.remove(known.getValue());
                    }
                    return isOver;
                });
        wanted.forEach((name, value) ->
                shown.meters.computeIfAbsent(name, _ -> meter(pool, shown, name, value)));
    }

    /** One that was used stays, at 0, as long as the queue is shown: lines do not end. */
    private static SortedSet<String> resources(Effect.QueueState state) {
        var quota = state.queue().spec().quota();
        var resources = new TreeSet<>(state.used().byName().keySet());
        resources.addAll(quota.limit().keySet());
        resources.addAll(quota.guaranteed().byName().keySet());
        return resources;
    }

    private Meter meter(
            String pool, Shown shown, String name, ToDoubleFunction<Effect.QueueState> value) {
        var parts = name.split("/", 2);
        var gauge =
                Gauge.builder(PREFIX + parts[0], shown, queue -> queue.of(value))
                        .tag("pool", pool)
                        .tag("queue", shown.state.queue().name());
        gauge = parts.length > 1 ? gauge.tag("resource", parts[1]) : gauge;
        return (parts[0].equals("in.line.oldest") ? gauge.baseUnit(SECONDS) : gauge)
                .register(registry);
    }

    /** A job of the queue starts. Its time series come with the first one that does. */
    void started(String pool, String queue, Duration waited) {
        var shown = queues.get(key(pool, queue));
        if (shown == null) {
            return;
        }
        if (shown.waits == null) {
            shown.waits =
                    Timer.builder(PREFIX + "wait")
                            .tag("pool", pool)
                            .tag("queue", queue)
                            .serviceLevelObjectives(WAITS)
                            .register(registry);
        }
        shown.waits.record(waited);
    }

    /** By the clock of this process, which may be a little behind the pool's. */
    private double secondsInLine(Effect.QueueState state) {
        var oldest = state.oldestInLine();
        long now = registry.config().clock().wallTime();
        return oldest == null ? 0 : Math.max(0, now - oldest.toEpochMilli()) / MILLI;
    }

    private static double units(String resource, long amount) {
        return resource.equals(CPU) ? amount / MILLI : amount;
    }

    void drop(String pool, String queue) {
        var shown = queues.remove(key(pool, queue));
        if (shown != null) {
            shown.meters.values().forEach(registry::remove);
            if (shown.waits != null) {
                registry.remove(shown.waits);
            }
        }
    }

    /** Another process hosts the pool from now on. */
    void drop(String pool) {
        for (var key : queues.keySet()) {
            if (key.startsWith(key(pool, ""))) {
                drop(pool, key.substring(pool.length() + 1));
            }
        }
    }

    private static String key(String pool, String queue) {
        return pool + "/" + queue;
    }
}
