package dev.muster.coordinator.stream;

import static java.util.Objects.requireNonNull;

import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.stream.InboxReading.Read;
import dev.muster.coordinator.stream.Outbox.Written;
import dev.muster.coordinator.stream.PoolTime.Stand;
import dev.muster.coordinator.stream.avro.Origin;
import dev.muster.coordinator.stream.avro.Outbound;
import dev.muster.coordinator.stream.avro.Parking;
import dev.muster.schemas.crash.CrashPoint;
import dev.muster.v1.InboxEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
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
    private final InboxReading reading;
    private String name = "";
    private Instant now = Instant.EPOCH;

    /** The version of the core that the pool was told of; null while it has no settings. */
    private @Nullable String coreVersion;

    private Counters.@Nullable Stand stand;
    private State state;

    /** How far the pool is. All that comes is held, unless it takes that in. */
    private sealed interface State {
        /**
         * It is made from its rows.
         *
         * @param failed what could not be taken in, until it is known whether that lies in it or in
         *     the pool; null: nothing
         */
        record Making(Rebuild rebuild, @Nullable Failed failed) implements State {}

        /** It takes in what is held. */
        record CatchingUp(Pool pool) implements State {}

        /** It takes in what comes. */
        record Taking(Pool pool) implements State {}

        /** Skipping would fork the state: a later version takes over. */
        record Stopped() implements State {}
    }

    /** Why a record was not taken in. */
    private sealed interface Hindrance {}

    private record UnknownKind() implements Hindrance {}

    /**
     * The rules could not take it.
     *
     * @param without what tells whether they can go on without it
     */
    private record Failed(Received in, InboxEvent message, String why, Event without)
            implements Hindrance {}

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
        counters = shared.counters();
        outbox = new Outbox(shared.wire(), sink, counters);
        log = new PoolLog(number);
        time = shared.time().host(number);
        reading = new InboxReading(shared.wire(), this.specs);
        if (this.rows.position() < 0) {
            state = new State.Taking(Pool.empty());
            stands(Counters.Stand.HOSTED);
        } else {
            var making = new State.Making(this.rows.rebuild(), null);
            state = making;
            begin(making);
        }
    }

    private void begin(State.Making making) {
        turn(making);
        stands(Counters.Stand.BEING_MADE);
        try {
            goOn(making);
        } catch (RuntimeException e) {
            stands(null); // Nobody closes what was not made.
            throw e;
        }
    }

    /** Ends a rebuild, if it leaves one. */
    private void turn(State next) {
        if (state instanceof State.Making(var rebuild, _) && state != next) {
            rebuild.close();
        }
        state = next;
    }

    private void stands(Counters.@Nullable Stand next) {
        counters.stands(stand, next);
        stand = next;
    }

    private void goOn(State.Making making) {
        var rebuild = making.rebuild();
        rebuild.goOn(shared.slice())
                .ifPresent(whole -> {
                    switch (making.failed()) {
                        case null -> becomes(whole, rebuild);
                        case Failed failed -> judge(failed, whole);
                    }
                });
    }

    private void becomes(Pool whole, Rebuild rebuild) {
        turn(held.first().isPresent() ? new State.CatchingUp(whole) : new State.Taking(whole));
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
        return switch (state) {
            case State.Making _, State.CatchingUp _ -> true;
            case State.Taking _, State.Stopped _ -> false;
        };
    }

    /** Goes on with what cannot be done at once. */
    void work() {
        switch (state) {
            case State.Making making -> goOn(making);
            case State.CatchingUp _ -> takeHeld();
            case State.Taking _, State.Stopped _ -> {}
        }
    }

    /** Takes one inbox record in. */
    void on(Received in) {
        if (in.offset() <= rows.position()) {
            counters.repeated();
            return;
        }
        rows.takenIn(in.offset());
        switch (state) {
            case State.Making _, State.CatchingUp _, State.Stopped _ -> held.add(in);
            case State.Taking(var pool) -> {
                var hindrance = take(in, pool);
                if (hindrance != null) {
                    held.add(in);
                    heldUp(in, hindrance);
                }
            }
        }
    }

    private void takeHeld() {
        for (int n = 0; n < HELD_AT_ONCE && state instanceof State.CatchingUp(var pool); n++) {
            var first = held.first().orElse(null);
            if (first == null) {
                turn(new State.Taking(pool));
                return;
            }
            var hindrance = take(first, pool);
            if (hindrance == null) {
                held.remove(first);
            } else {
                heldUp(first, hindrance);
            }
        }
    }

    /** It could not be taken in, and is now the first of those that are held. */
    private void heldUp(Received in, Hindrance hindrance) {
        switch (hindrance) {
            case UnknownKind _ -> {
                log.stopped(in.offset());
                stop();
            }
            case Failed failed -> {
                // The pool may be half changed: its rows are not.
                rows.settle();
                begin(new State.Making(rows.rebuild(), failed));
            }
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
        try {
            var step = decided(() -> trial.on(failed.without(), failed.in().appended()));
            written(step, origin(failed.in(), failed.message()), trial.now());
        } catch (Wire.GaveUpException e) {
            throw e; // Of the registry, which says nothing of the pool.
        } catch (RuntimeException e) {
            stands(Counters.Stand.HOSTED);
            log.stuck(failed.in().offset(), e);
            stop();
            return;
        }
        park(failed.in(), failed.message(), failed.why());
        held.remove(failed.in());
        begin(new State.Making(rows.rebuild(), null));
    }

    private void stop() {
        turn(new State.Stopped());
        counters.stopped(1);
        time.end();
    }

    /** Takes one record in. Null: it was, or is parked. */
    private @Nullable Hindrance take(Received in, Pool pool) {
        return switch (reading.read(in)) {
            case Read.Known(var message, var event) -> decide(in, message, event, pool);
            case Read.Parked(var message, var why) -> {
                park(in, message, why);
                yield null;
            }
            case Read.Unknown _ -> new UnknownKind();
        };
    }

    private @Nullable Failed decide(Received in, InboxEvent message, Event event, Pool pool) {
        var appended = in.appended();
        var origin = origin(in, message);
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
            outputs = written(step, origin, pool.now());
        } catch (Wire.GaveUpException e) {
            throw e;
        } catch (RuntimeException e) {
            counters.failed();
            log.failed(in.offset(), message, e);
            if (submitted != null) {
                specs.remove(submitted);
            }
            var without =
                    event instanceof Event.TimePassed ? event : new Event.TimePassed(appended);
            return new Failed(in, message, InboxReading.reason(e), without);
        }
        CrashPoint.COORDINATOR_DECIDED.pass(message);
        rows.apply(step);
        specs.dropAfter(step, submitted, rows);
        CrashPoint.COORDINATOR_STORED.pass(message);
        outbox.send(outputs);
        CrashPoint.COORDINATOR_PUBLISHED.pass(message);
        counters.tookIn(message.getKind());
        counters.decided(origin.pool(), step);
        log.decided(in.offset(), message, step);
        if (event instanceof Event.CoreVersion) {
            coreVersion = null;
        }
        remember(pool);
        time.tookIn(
                name.isEmpty() ? message.getPool() : name,
                stand(pool, step.more()),
                event instanceof Event.TimePassed(var until) ? until : null);
        return null;
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

    private void park(Received in, @Nullable InboxEvent message, String why) {
        counters.parked();
        log.parked(in.offset(), why);
        var at = now.isAfter(in.appended()) ? now : in.appended();
        var origin = origin(in, message);
        outbox.send(
                outbox.written(Parking.of(origin, in.record(), message, rows::knows, at, why), at));
    }

    private Origin origin(Received in, @Nullable InboxEvent message) {
        return Origin.of(name, number, in.offset(), message);
    }

    private List<Written> written(Step step, Origin origin, Instant at) {
        var outbound = new Outbound(origin, at, specs, rows);
        var outputs = outbound.records(step);
        return outbox.written(outputs, at);
    }

    /** Publishes nothing: what the stores show now may be rolled back. */
    @Override
    public void close() {
        time.end();
        stands(null);
        counters.left(name);
        switch (state) {
            case State.Making(var rebuild, _) -> rebuild.close();
            case State.CatchingUp _, State.Taking _ -> {}
            case State.Stopped _ -> counters.stopped(-1);
        }
    }
}
