package dev.muster.coordinator.stream;

import dev.muster.v1.InboxKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What operators watch. */
public final class Counters {
    private static final String PREFIX = "muster.coordinator.";

    private final MeterRegistry registry;
    private final Map<InboxKind, Counter> events = new EnumMap<>(InboxKind.class);
    private final Map<String, Counter> published = new ConcurrentHashMap<>();
    private final Counter parked;
    private final Counter failed;
    private final Counter repeated;
    private final Counter jumps;
    private final Counter deaths;
    private final Timer restores;
    private final AtomicInteger hosted = new AtomicInteger();
    private final AtomicInteger stopped = new AtomicInteger();

    public Counters(MeterRegistry registry) {
        this.registry = registry;
        for (var kind : InboxKind.values()) {
            events.put(kind, registry.counter(PREFIX + "events", "kind", kind.name()));
        }
        parked = registry.counter(PREFIX + "parked");
        failed = registry.counter(PREFIX + "failed");
        repeated = registry.counter(PREFIX + "repeated");
        jumps = registry.counter(PREFIX + "clock.jumps");
        deaths = registry.counter(PREFIX + "thread.deaths");
        restores = registry.timer(PREFIX + "restores");
        registry.gauge(PREFIX + "pools.hosted", hosted);
        registry.gauge(PREFIX + "pools.stopped", stopped);
    }

    void tookIn(InboxKind kind) {
        var counter = events.get(kind);
        if (counter != null) {
            counter.increment();
        }
    }

    void published(String topic) {
        published
                .computeIfAbsent(
                        topic, name -> registry.counter(PREFIX + "published", "topic", name))
                .increment();
    }

    void parked() {
        parked.increment();
    }

    /** The core could not take an event: a fault of ours. */
    void failed() {
        failed.increment();
    }

    /** A record came again that had been taken in. */
    void repeated() {
        repeated.increment();
    }

    void clockJumped() {
        jumps.increment();
    }

    void threadDied() {
        deaths.increment();
    }

    void restored(Duration took) {
        restores.record(took);
    }

    void hosted(int sign) {
        hosted.addAndGet(sign);
    }

    void stopped(int sign) {
        stopped.addAndGet(sign);
    }
}
