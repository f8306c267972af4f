package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.Effect;
import dev.muster.coordinator.core.Event;
import dev.muster.coordinator.core.JobId;
import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.Row;
import dev.muster.coordinator.core.Step;
import dev.muster.coordinator.stream.Outbox.Written;
import dev.muster.coordinator.stream.PoolTime.Stand;
import dev.muster.coordinator.stream.avro.Inbound;
import dev.muster.coordinator.stream.avro.Origin;
import dev.muster.coordinator.stream.avro.Outbound;
import dev.muster.coordinator.stream.avro.Parking;
import dev.muster.coordinator.stream.avro.UnknownKindException;
import dev.muster.v1.InboxEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pool between its inbox, its stores and the topics: carries, and decides nothing. */
final class PoolHost {
    /** So many held records are taken in with each record that comes. */
    private static final int HELD_AT_ONCE = 100;

    private static final Logger log = LoggerFactory.getLogger(PoolHost.class);

    /**
     * What all pools of a process share.
     *
     * @param time by which they are told that time has passed
     */
    record Shared(Wire wire, TimeKeeper time, Counters counters) {}

    private final int number;
    private final Rows rows;
    private final Specs specs;
    private final Held held;
    private final Outbox outbox;
    private final Wire wire;
    private final Counters counters;
    private final TimeKeeper.Hosting time;
    private final Inbound inbound;
    private @Nullable Pool pool;
    private boolean holds;
    private boolean stopped;

    /**
     * Rebuilds the pool from its rows. A pool without any costs nothing until its first record.
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
        wire = shared.wire();
        outbox = new Outbox(wire, sink);
        counters = shared.counters();
        this.specs = new Specs(specs, wire);
        held = new Held(rows);
        time = shared.time().host(number);
        inbound = new Inbound(this.specs);
        counters.hosted(1);
        if (this.rows.position() >= 0) {
            restore();
        }
    }

    private void restore() {
        long begin = System.nanoTime();
        var restored = rows.restore();
        var took = System.nanoTime() - begin;
        pool = restored;
        counters.restored(Duration.ofNanos(took));
        holds = held.first().isPresent();
        log.atInfo()
                .addKeyValue("pool", name(restored, ""))
                .addKeyValue("partition", number)
                .addKeyValue("position", rows.position())
                .addKeyValue("millis", took / 1_000_000)
                .log("pool restored");
        time.tookIn(name(restored, ""), stand(restored, holds), null);
    }

    /** Takes one inbox record in. */
    void on(Received in) {
        if (in.offset() <= rows.position()) {
            counters.repeated();
            return;
        }
        rows.takenIn(in.offset());
        if (holds) {
            held.add(in);
            takeHeld();
        } else if (!take(in)) {
            held.add(in);
            stop(in.offset());
        }
    }

    private void takeHeld() {
        for (int taken = 0; taken < HELD_AT_ONCE && !stopped; taken++) {
            var first = held.first();
            if (first.isEmpty()) {
                holds = false;
                return;
            }
            if (take(first.get())) {
                held.remove(first.get());
            } else {
                stop(first.get().offset());
            }
        }
    }

    /** Skipping would fork the state: from here on all is held until a later version takes over. */
    private void stop(long offset) {
        holds = true;
        stopped = true;
        counters.stopped(1);
        time.end();
        log.atError()
                .addKeyValue("partition", number)
                .addKeyValue("offset", offset)
                .log("POOL STOPPED: its inbox has an event of a kind unknown to this version");
    }

    /**
     * Takes one record in.
     *
     * @return false when it is of a kind that this version does not know
     */
    private boolean take(Received in) {
        var record = in.record();
        InboxEvent message;
        try {
            message = wire.event(record.value() == null ? new byte[0] : record.value());
        } catch (SerializationException e) {
            park(in, null, reason(e));
            return true;
        }
        Event event;
        try {
            event = inbound.event(message);
        } catch (UnknownKindException e) {
            return false;
        } catch (RuntimeException e) {
            park(in, message, reason(e));
            return true;
        }
        decide(in, message, event);
        return true;
    }

    private void decide(Received in, InboxEvent message, Event event) {
        var appended = Instant.ofEpochMilli(in.record().timestamp());
        checkClock(in.offset(), appended);
        var submitted = event instanceof Event.Submitted(var job, _, _) ? newSpec(job) : null;
        if (submitted != null) {
            specs.put(submitted, message.getJobSubmitted(), in.record().value());
        }
        var now = hosted();
        Step step;
        List<Written> outputs;
        try {
            step = now.on(event, appended);
            outputs = written(now, origin(in, message), step);
        } catch (RuntimeException e) {
            failed(in, message, submitted, e);
            return;
        }
        rows.apply(step);
        dropSpecs(step, submitted);
        publish(outputs);
        counters.tookIn(message.getKind());
        logMoves(step);
        time.tookIn(
                name(now, message.getPool()),
                stand(now, step.more() || holds),
                event instanceof Event.TimePassed(var until) ? until : null);
    }

    private static Stand stand(Pool pool, boolean more) {
        return new Stand(pool.now(), pool.nextAlarm().orElse(null), more);
    }

    /** The job, when nothing was heard of it. */
    private @Nullable JobId newSpec(JobId job) {
        return rows.contains(rowOf(job)) ? null : job;
    }

    private static Row.Key rowOf(JobId job) {
        return new Row.Key(Row.Table.JOB, job.toString());
    }

    private void dropSpecs(Step step, @Nullable JobId submitted) {
        for (var effect : step.effects()) {
            if (effect instanceof Effect.DropSpec(var job)) {
                specs.remove(job);
            }
        }
        boolean waits = step.changes().stream().anyMatch(PoolHost::isNewWaiting);
        if (submitted != null && !waits && !rows.contains(rowOf(submitted))) {
            specs.remove(submitted);
        }
    }

    private static boolean isNewWaiting(Step.Change change) {
        return change.key().table() == Row.Table.WAITING && change.row() != null;
    }

    private Pool hosted() {
        var hosted = pool;
        if (hosted == null) {
            hosted = rows.restore();
            pool = hosted;
        }
        return hosted;
    }

    private void checkClock(long offset, Instant appended) {
        if (time.hasJumped(appended)) {
            counters.clockJumped();
            log.atError()
                    .addKeyValue("partition", number)
                    .addKeyValue("offset", offset)
                    .addKeyValue("appended", appended)
                    .log("THE BROKER'S CLOCK JUMPED AHEAD: deadlines pass too early");
        }
    }

    /** The pool may be half changed: its rows are not. */
    private void failed(
            Received in, InboxEvent message, @Nullable JobId submitted, RuntimeException e) {
        counters.failed();
        log.atError()
                .addKeyValue("partition", number)
                .addKeyValue("offset", in.offset())
                .addKeyValue("event", message.getKind())
                .setCause(e)
                .log("THE POOL COULD NOT TAKE AN EVENT: it is parked, the pool rebuilt");
        if (submitted != null) {
            specs.remove(submitted);
        }
        pool = null;
        park(in, message, reason(e));
    }

    private void park(Received in, @Nullable InboxEvent message, String why) {
        counters.parked();
        log.atWarn()
                .addKeyValue("partition", number)
                .addKeyValue("offset", in.offset())
                .addKeyValue("why", why)
                .log("inbox record parked");
        var appended = Instant.ofEpochMilli(in.record().timestamp());
        var now = hosted().now();
        var at = now.isAfter(appended) ? now : appended;
        publish(outbox.written(Parking.of(origin(in, message), in.record(), at, why), at));
    }

    private static String reason(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private Origin origin(Received in, @Nullable InboxEvent message) {
        return message == null
                ? new Origin(name(hosted(), ""), number, in.offset(), null)
                : new Origin(
                        name(hosted(), message.getPool()),
                        number,
                        in.offset(),
                        message.getEnvelope().getId());
    }

    private static String name(Pool pool, String otherwise) {
        var name = pool.name();
        return name == null ? otherwise : name;
    }

    private List<Written> written(Pool pool, Origin origin, Step step) {
        var outbound = new Outbound(origin, pool.now(), specs);
        var outputs = step.effects().stream().flatMap(e -> outbound.records(e).stream()).toList();
        return outbox.written(outputs, pool.now());
    }

    private void publish(List<Written> outputs) {
        outbox.send(outputs);
        outputs.forEach(output -> counters.published(output.topic()));
    }

    private static void logMoves(Step step) {
        for (var effect : step.effects()) {
            if (effect instanceof Effect.Moved moved) {
                log.atInfo()
                        .addKeyValue("jobId", moved.job())
                        .addKeyValue("attempt", moved.attempt())
                        .addKeyValue("from", moved.from())
                        .addKeyValue("to", moved.to())
                        .addKeyValue("why", moved.reason())
                        .log("job moved");
            }
        }
    }

    /** Publishes nothing: what the stores show now may be rolled back. */
    void close() {
        time.end();
        counters.hosted(-1);
        if (stopped) {
            counters.stopped(-1);
        }
    }
}
