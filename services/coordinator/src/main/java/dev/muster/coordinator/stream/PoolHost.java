package dev.muster.coordinator.stream;

import static java.util.Objects.requireNonNull;

import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.state.Step;
import dev.muster.coordinator.stream.Outbox.Written;
import dev.muster.coordinator.stream.PoolTime.Stand;
import dev.muster.coordinator.stream.avro.Inbound;
import dev.muster.coordinator.stream.avro.Origin;
import dev.muster.coordinator.stream.avro.Outbound;
import dev.muster.coordinator.stream.avro.Parking;
import dev.muster.coordinator.stream.avro.UnknownKindException;
import dev.muster.schemas.crash.CrashPoint;
import dev.muster.v1.InboxEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** One pool between its inbox, its stores and the topics: carries, and decides nothing. */
final class PoolHost implements AutoCloseable {
    /** So many held records are taken in at a time. */
    private static final int HELD_AT_ONCE = 100;

    /**
     * What all pools of a process share.
     *
     * @param time by which they are told that time has passed
     * @param slice for so long a pool may keep its thread while it is made from its rows
     * @param coreVersion of the rules in this process
     */
    record Shared(
            Wire wire, TimeKeeper time, Counters counters, Duration slice, String coreVersion) {}

    private final int number;
    private final Rows rows;
    private final Specs specs;
    private final Held held;
    private final Outbox outbox;
    private final Shared shared;
    private final Counters counters;
    private final PoolLog log;
    private final TimeKeeper.Hosting time;
    private final Inbound inbound;
    private String name = "";
    private Instant now = Instant.EPOCH;

    /** Null while it is made from its rows. */
    private @Nullable Pool pool;

    private @Nullable Rebuild rebuild;

    /** The version of the core that the pool was told of; null while it has no settings. */
    private @Nullable String coreVersion;

    private Counters.@Nullable Stand stand;
    private boolean holds;
    private boolean stopped;

    /** What could not be taken in, until it is known whether that lies in it or in the pool. */
    private @Nullable Failed failed;

    /**
     * A record that the rules could not take.
     *
     * @param without what tells whether they can go on without it
     */
    private record Failed(Received in, Origin origin, String why, Event without) {}

    /**
     * Begins to make the pool from its rows; one that has few is whole afterwards. One that has
     * none costs nothing until its first record.
     *
     * @param number of the pool: its inbox partition
     */
    PoolHost(
            int number,
            KeyValueStore<String, byte[]> rows,
            KeyValueStore<String, byte[]> specs,
            Shared shared,
            Outbox.Sink sink) {
        this.number = number;
        this.rows = new Rows(rows);
        this.shared = shared;
        this.specs = new Specs(specs, shared.wire());
        held = new Held(specs, rows);
        outbox = new Outbox(shared.wire(), sink);
        counters = shared.counters();
        log = new PoolLog(number);
        time = shared.time().host(number);
        inbound = new Inbound(this.specs);
        if (this.rows.position() < 0) {
            pool = Pool.empty();
            stands(Counters.Stand.HOSTED);
        } else {
            holds = held.first().isPresent();
            begin();
        }
    }

    private void begin() {
        rebuild = rows.rebuild();
        stands(Counters.Stand.BEING_MADE);
        try {
            goOnRebuilding(rebuild);
        } catch (RuntimeException e) {
            stands(null); // Nobody closes what was not made.
            throw e;
        }
    }

    private void stands(Counters.@Nullable Stand next) {
        counters.stands(stand, next);
        stand = next;
    }

    private void goOnRebuilding(Rebuild rebuild) {
        rebuild.goOn(shared.slice()).ifPresent(whole -> becomes(whole, rebuild));
    }

    private void becomes(Pool whole, Rebuild rebuild) {
        rebuild.close();
        this.rebuild = null;
        if (failed != null) {
            judge(failed, whole);
            return;
        }
        pool = whole;
        stands(Counters.Stand.HOSTED);
        remember(whole);
        CrashPoint.COORDINATOR_RESTORED.pass(name);
        counters.restored(rebuild.took());
        counters.shows(name, whole.queueStates());
        log.restored(name, rows.position(), rebuild);
        // A step may have left something to the next, and of that no alarm says anything.
        time.tookIn(name, stand(whole, true), null);
    }

    private void remember(Pool pool) {
        now = pool.now();
        name = pool.name() == null ? name : requireNonNull(pool.name());
        if (!shared.coreVersion().equals(coreVersion)) {
            coreVersion = rows.coreVersion();
        }
    }

    /** There is something to do for {@link #work}. */
    boolean hasWork() {
        return rebuild != null || (holds && !stopped);
    }

    /** Goes on with what cannot be done at once. */
    void work() {
        if (rebuild != null) {
            goOnRebuilding(rebuild);
        } else if (hasWork()) {
            takeHeld();
        }
    }

    /** Takes one inbox record in. */
    void on(Received in) {
        if (in.offset() <= rows.position()) {
            counters.repeated();
            return;
        }
        rows.takenIn(in.offset());
        if (pool == null || holds) {
            held.add(in);
            holds = true;
        } else if (!take(in, pool)) {
            held.add(in);
            heldUp(in);
        }
    }

    private void takeHeld() {
        for (int taken = 0; taken < HELD_AT_ONCE && pool != null && !stopped; taken++) {
            var first = held.first();
            if (first.isEmpty()) {
                holds = false;
                return;
            }
            if (take(first.get(), pool)) {
                held.remove(first.get());
            } else {
                heldUp(first.get());
            }
        }
    }

    /** It could not be taken in, and is now the first of those that are held. */
    private void heldUp(Received in) {
        holds = true;
        if (failed == null) {
            log.stopped(in.offset());
            stop();
        } else {
            // The pool may be half changed: its rows are not.
            pool = null;
            rows.settle();
            begin();
        }
    }

    /**
     * Parks what could not be taken in, unless the pool cannot go on without it either: by a
     * deadline that has come, or by what was left to this step. Then whatever came next would be
     * parked, too.
     *
     * @param trial the pool from its rows, which is not kept
     */
    private void judge(Failed failed, Pool trial) {
        this.failed = null;
        try {
            var step = decided(() -> trial.on(failed.without(), appended(failed.in())));
            written(step, failed.origin(), trial.now());
        } catch (RuntimeException e) {
            stands(Counters.Stand.HOSTED);
            log.stuck(failed.in().offset(), e);
            stop();
            return;
        }
        park(failed.in(), failed.origin(), failed.why());
        held.remove(failed.in());
        holds = held.first().isPresent();
        begin();
    }

    /** Skipping would fork the state: from here on all is held until a later version takes over. */
    private void stop() {
        stopped = true;
        counters.stopped(1);
        time.end();
    }

    /**
     * Takes one record in.
     *
     * @return false when it is of a kind that this version does not know, or {@link #failed}
     */
    private boolean take(Received in, Pool pool) {
        var value = in.record().value();
        InboxEvent message;
        try {
            message = shared.wire().event(value == null ? new byte[0] : value);
        } catch (SerializationException e) {
            park(in, origin(in, null), reason(e));
            return true;
        }
        Event event;
        try {
            event = inbound.event(message);
        } catch (UnknownKindException e) {
            return false;
        } catch (RuntimeException e) {
            park(in, origin(in, message), reason(e));
            return true;
        }
        return decide(in, message, event, pool);
    }

    private boolean decide(Received in, InboxEvent message, Event event, Pool pool) {
        var appended = appended(in);
        checkClock(in.offset(), appended);
        var submitted = newJob(event);
        if (submitted != null) {
            specs.put(submitted, message.getJobSubmitted(), in.record().value());
        }
        CrashPoint.COORDINATOR_TAKEN.pass(message);
        Step step;
        List<Written> outputs;
        try {
            step = decided(() -> pool.on(event, appended));
            outputs = written(step, origin(in, message), pool.now());
        } catch (RuntimeException e) {
            counters.failed();
            log.failed(in.offset(), message, e);
            if (submitted != null) {
                specs.remove(submitted);
            }
            var without =
                    event instanceof Event.TimePassed ? event : new Event.TimePassed(appended);
            failed = new Failed(in, origin(in, message), reason(e), without);
            return false;
        }
        CrashPoint.COORDINATOR_DECIDED.pass(message);
        rows.apply(step);
        specs.dropAfter(step, submitted, rows);
        CrashPoint.COORDINATOR_STORED.pass(message);
        publish(outputs);
        CrashPoint.COORDINATOR_PUBLISHED.pass(message);
        counters.tookIn(message.getKind());
        counters.decided(name.isEmpty() ? message.getPool() : name, step);
        log.decided(in.offset(), message, step);
        if (event instanceof Event.CoreVersion) {
            coreVersion = null;
        }
        remember(pool);
        time.tookIn(
                name.isEmpty() ? message.getPool() : name,
                stand(pool, step.more()),
                event instanceof Event.TimePassed(var until) ? until : null);
        return true;
    }

    private static Instant appended(Received in) {
        return Instant.ofEpochMilli(in.record().timestamp());
    }

    /**
     * What the rules say. They touch nothing but their pool, of which nothing is kept when they
     * fail: so that they run out of stack is to be parked as well as any other fault of theirs,
     * where it would end this process, and whichever takes over.
     *
     * @throws IllegalStateException when they run out of stack
     */
    static Step decided(Supplier<Step> rules) {
        try {
            return rules.get();
        } catch (StackOverflowError e) {
            throw new IllegalStateException("the rules ran out of stack", e);
        }
    }

    private Stand stand(Pool pool, boolean more) {
        boolean outdated = coreVersion != null && !shared.coreVersion().equals(coreVersion);
        return new Stand(
                pool.now(),
                pool.nextAlarm().orElse(null),
                more,
                outdated ? shared.coreVersion() : null);
    }

    /** The job that is submitted, when nothing was heard of it. */
    private @Nullable JobId newJob(Event event) {
        return event instanceof Event.Submitted(var job, _, _) && !rows.knows(job) ? job : null;
    }

    private void checkClock(long offset, Instant appended) {
        if (time.hasJumped(appended)) {
            counters.clockJumped();
            log.clockJumped(offset, appended);
        }
    }

    private void park(Received in, Origin origin, String why) {
        counters.parked();
        log.parked(in.offset(), why);
        var at = now.isAfter(appended(in)) ? now : appended(in);
        var said = shared.wire().eventIfAny(in.record().value());
        publish(outbox.written(Parking.of(origin, in.record(), said, rows::knows, at, why), at));
    }

    private static String reason(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private Origin origin(Received in, @Nullable InboxEvent message) {
        return message == null
                ? new Origin(name, number, in.offset(), null)
                : new Origin(
                        name.isEmpty() ? message.getPool() : name,
                        number,
                        in.offset(),
                        message.getEnvelope().getId());
    }

    private List<Written> written(Step step, Origin origin, Instant at) {
        var outbound = new Outbound(origin, at, specs, rows);
        var outputs = step.effects().stream().flatMap(e -> outbound.records(e).stream()).toList();
        return outbox.written(outputs, at);
    }

    private void publish(List<Written> outputs) {
        outbox.send(outputs);
        outputs.forEach(output -> counters.published(output.topic()));
    }

    /** Publishes nothing: what the stores show now may be rolled back. */
    @Override
    public void close() {
        time.end();
        stands(null);
        counters.left(name);
        if (stopped) {
            counters.stopped(-1);
        }
        if (rebuild != null) {
            rebuild.close();
        }
    }
}
