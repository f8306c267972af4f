package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.v1.InboxKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** What operators watch. */
public final class Counters {
    private static final String PREFIX = "muster.coordinator.";

    private final MeterRegistry registry;
    private final Map<InboxKind, Counter> events = new EnumMap<>(InboxKind.class);
    private final Map<String, Counter> published = new ConcurrentHashMap<>();
    private final Map<Decision.Why, Counter> stays = new EnumMap<>(Decision.Why.class);
    private final Map<Phase, Counter> moves = new EnumMap<>(Phase.class);
    private final Map<WaitReason.Code, Counter> waits = new EnumMap<>(WaitReason.Code.class);
    private final QueueGauges queues;
    private final Counter parked;
    private final Counter failed;
    private final Counter repeated;
    private final Counter jumps;
    private final Counter unbelieved;
    private final Counter deaths;
    private final Timer restores;
    private final AtomicInteger beingMade = new AtomicInteger();
    private final AtomicInteger hosted = new AtomicInteger();
    private final AtomicInteger stopped = new AtomicInteger();
    private volatile DoubleSupplier behind = () -> Double.NaN;

    public Counters(MeterRegistry registry) {
        this.registry = registry;
        for (var kind : InboxKind.values()) {
            events.put(kind, registry.counter(PREFIX + "events", "kind", kind.name()));
        }
        for (var why : Decision.Why.values()) {
            stays.put(why, registry.counter(PREFIX + "stays", "why", why.name()));
        }
        for (var phase : Phase.values()) {
            moves.put(phase, registry.counter(PREFIX + "moves", "to", phase.name()));
        }
        for (var code : WaitReason.Code.values()) {
            waits.put(code, registry.counter(PREFIX + "waits", "code", code.name()));
        }
        queues = new QueueGauges(registry);
        parked = registry.counter(PREFIX + "parked");
        failed = registry.counter(PREFIX + "failed");
        repeated = registry.counter(PREFIX + "repeated");
        jumps = registry.counter(PREFIX + "clock.jumps");
        unbelieved = registry.counter(PREFIX + "watchers.unbelieved");
        deaths = registry.counter(PREFIX + "thread.deaths");
        restores = registry.timer(PREFIX + "restores");
        registry.gauge(PREFIX + "inbox.behind", this, counters -> counters.behind.getAsDouble());
        registry.gauge(PREFIX + "pools.hosted", hosted);
        registry.gauge(PREFIX + "pools.stopped", stopped);
    }

    void tookIn(InboxKind kind) {
        var counter = events.get(kind);
        if (counter != null) {
            counter.increment();
        }
    }

    /** What the core of a pool did about an event. */
    void decided(String pool, Step step) {
        step.stays().forEach((why, times) -> increment(stays.get(why), times));
        for (var effect : step.effects()) {
            switch (effect) {
                case Effect.Moved moved -> increment(moves.get(moved.to()), 1);
                case Effect.Waits waiting -> increment(waits.get(waiting.reason().code()), 1);
                case Effect.QueueState state -> queues.show(pool, state);
                case Effect.QueueDeleted(var name) -> queues.drop(pool, name);
                case Effect.Unbelieved _ -> unbelieved.increment();
                case Effect.Answer _, Effect.BulkDone _, Effect.Plan _, Effect.Status _ -> {}
                case Effect.RankEnded _, Effect.RankPlaced _, Effect.Scaled _ -> {}
                case Effect.Started started -> started(pool, started);
                case Effect.CheckpointTold _, Effect.TakenBack _ -> {}
                case Effect.Held _, Effect.Preempted _, Effect.PoolState _ -> {}
                case Effect.DropSpec _, Effect.Forget _ -> {}
            }
        }
    }

    private void started(String pool, Effect.Started started) {
        if (started.waited() != null) {
            queues.started(pool, started.queue(), started.waited());
        }
    }

    private static void increment(@Nullable Counter counter, int times) {
        if (counter != null) {
            counter.increment(times);
        }
    }

    /** The pool is hosted here: its queues are shown as they stand, before any of them changes. */
    void shows(String pool, List<Effect.QueueState> states) {
        states.forEach(state -> queues.show(pool, state));
    }

    /** The pool is hosted here no more. */
    void left(String pool) {
        queues.drop(pool);
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

    /** How far a pool that is assigned to this process is. */
    enum Stand {
        /** It is made from its rows, and decides nothing meanwhile. */
        BEING_MADE,
        HOSTED
    }

    /**
     * One pool goes on.
     *
     * @param before null: it comes
     * @param now null: it leaves
     */
    void stands(@Nullable Stand before, @Nullable Stand now) {
        add(now, 1); // First: no look in between may find nothing that is being made.
        add(before, -1);
    }

    private void add(@Nullable Stand stand, int sign) {
        switch (stand) {
            case BEING_MADE -> beingMade.addAndGet(sign);
            case HOSTED -> hosted.addAndGet(sign);
            case null -> {}
        }
    }

    /** No pool is being made from its rows: all that are here are hosted. */
    boolean areAllHosted() {
        return beingMade.get() == 0;
    }

    /** Whom to ask how far behind its inbox this process is. */
    void behindIs(DoubleSupplier behind) {
        this.behind = behind;
    }

    void stopped(int sign) {
        stopped.addAndGet(sign);
    }
}
