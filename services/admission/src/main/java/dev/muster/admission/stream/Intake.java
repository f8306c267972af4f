package dev.muster.admission.stream;

import dev.muster.admission.stream.Outgoing.Target;
import dev.muster.admission.stream.Step.Done;
import dev.muster.admission.stream.Step.Later;
import dev.muster.schemas.crash.CrashPoint;
import dev.muster.schemas.serde.RegistryUnavailableException;
import dev.muster.streams.PacedClients;
import dev.muster.streams.Prompt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Takes the records of one topic in, one by one, in order per line.
 *
 * <p>What cannot be decided yet is set aside with all that follows it in its line, and tried again
 * every tenth of a second; nobody else waits. What cannot be read is parked. This is the one place
 * that catches.
 */
final class Intake implements Processor<byte[], byte[], Target, byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(100);

    private final String topic;
    private final String rowsName;
    private final String asideName;
    private final Function<ProcessorContext<Target, byte[]>, RecordHandler> clerks;
    private final Parking parking;
    private final PacedClients clients;
    private @Nullable Working working;
    private @Nullable Cancellable clock;

    /** What there is between init and close. */
    private record Working(
            ProcessorContext<Target, byte[]> context,
            KeyValueStore<String, byte[]> rows,
            DeferredArrivals aside,
            RecordHandler clerk,
            Prompt prompt) {
        Instant now() {
            return Instant.ofEpochMilli(context.currentSystemTimeMs());
        }
    }

    /**
     * @param topic whose records are taken in
     * @param rowsName the store that the clerk's rows go to
     * @param asideName the store of what waits, which topics may share
     */
    Intake(
            String topic,
            String rowsName,
            String asideName,
            Function<ProcessorContext<Target, byte[]>, RecordHandler> clerks,
            Parking parking,
            PacedClients clients) {
        this.topic = topic;
        this.rowsName = rowsName;
        this.asideName = asideName;
        this.clerks = clerks;
        this.parking = parking;
        this.clients = clients;
    }

    @Override
    public void init(ProcessorContext<Target, byte[]> context) {
        KeyValueStore<String, byte[]> aside = context.getStateStore(asideName);
        working =
                new Working(
                        context,
                        context.getStateStore(rowsName),
                        new DeferredArrivals(aside, topic),
                        clerks.apply(context),
                        clients.prompt(context));
        wakeWhileSomethingWaits(working);
    }

    /** Every waking writes a transaction, so nobody is woken for nothing. */
    private void wakeWhileSomethingWaits(Working work) {
        if (work.aside().isEmpty() && clock != null) {
            clock.cancel();
            clock = null;
        } else if (!work.aside().isEmpty() && clock == null) {
            clock =
                    work.context()
                            .schedule(
                                    RETRY_INTERVAL,
                                    PunctuationType.WALL_CLOCK_TIME,
                                    _ -> tryAgain(work));
        }
    }

    @Override
    public void process(Record<byte[], byte[]> in) {
        var work = Objects.requireNonNull(working);
        var from = work.context().recordMetadata().orElseThrow();
        var arrival =
                new Arrival(
                        from.topic(),
                        from.partition(),
                        from.offset(),
                        in.timestamp(),
                        work.now(),
                        in.key(),
                        in.value(),
                        headersOf(in.headers()));
        if (work.aside().holds(arrival.key())) {
            setAside(work, arrival.key(), arrival);
        } else {
            takeInLine(work, arrival);
        }
    }

    /** What line that is may not be known yet: then it waits, and all of its key behind it. */
    private void takeInLine(Working work, Arrival arrival) {
        var line = line(work, arrival);
        if (line == null) {
            setAside(work, arrival.key(), arrival);
        } else if (work.aside().holds(line) || !carriedOut(work, arrival)) {
            setAside(work, line, arrival);
        }
    }

    private static @Nullable String line(Working work, Arrival arrival) {
        try {
            return work.clerk().line(arrival);
        } catch (RegistryUnavailableException e) {
            return null;
        }
    }

    /**
     * @throws RegistryUnavailableException when it is too large to wait, and cannot be parked yet:
     *     the thread tries again
     */
    private void setAside(Working work, String line, Arrival arrival) {
        if (work.aside().takes(line, arrival)) {
            work.aside().add(line, arrival);
            wakeWhileSomethingWaits(work);
            log(LOG.atInfo(), arrival).log("set aside");
        } else {
            var why = "is too large to wait for what is not there yet";
            log(LOG.atWarn(), arrival).addKeyValue("why", why).log("cannot be taken in");
            var parked = parking.park(arrival, why, work.now());
            parked.records().forEach(record -> forward(work, record));
            work.prompt().commit(arrival.timestamp());
        }
    }

    private void tryAgain(Working work) {
        for (var line : work.aside().lines()) {
            work.aside().release(line, arrival -> isDone(work, line, arrival.asOf(work.now())));
        }
        wakeWhileSomethingWaits(work);
    }

    /** Done with is also what has come into a line of its own. */
    private boolean isDone(Working work, String line, Arrival arrival) {
        var own = line(work, arrival);
        if (own == null) {
            return false;
        }
        if (own.equals(line)) {
            return carriedOut(work, arrival);
        }
        takeInLine(work, arrival);
        return true;
    }

    /** Kafka Streams may begin anew with this one afterwards. */
    @Override
    public void close() {
        if (clock != null) {
            clock.cancel();
            clock = null;
        }
        if (working != null) {
            working.prompt().close();
            working = null;
        }
    }

    /** False: it must wait. */
    private boolean carriedOut(Working work, Arrival arrival) {
        CrashPoint.ADMISSION_TAKEN.pass(arrival.key());
        return switch (step(work, arrival)) {
            case Later(var why) -> {
                log(LOG.atDebug(), arrival).addKeyValue("why", why).log("must wait");
                yield false;
            }
            case Done(var records, var row, var what) -> {
                CrashPoint.ADMISSION_DECIDED.pass(arrival.key());
                if (row != null) {
                    work.rows().put(row.key(), row.value());
                }
                CrashPoint.ADMISSION_STORED.pass(arrival.key());
                for (var record : records) {
                    forward(work, record);
                    work.prompt().commit(arrival.timestamp());
                }
                CrashPoint.ADMISSION_PUBLISHED.pass(arrival.key());
                boolean isNews = !what.isEmpty() && (row != null || !records.isEmpty());
                var line = isNews ? LOG.atInfo() : LOG.atDebug();
                log(line, arrival).addKeyValue("to", what).log("decided");
                yield true;
            }
        };
    }

    private Step step(Working work, Arrival arrival) {
        try {
            var step = work.clerk().handle(arrival, work.now());
            return step instanceof Done done ? done.checked() : step;
        } catch (RegistryUnavailableException e) {
            return new Later(String.valueOf(e.getMessage()));
        } catch (StreamsException e) {
            throw e;
        } catch (RuntimeException e) {
            return parked(arrival, e, work.now());
        }
    }

    /** Parking needs the registry, too. */
    private Step parked(Arrival arrival, RuntimeException cause, Instant now) {
        try {
            var trace = parking.isExpected(cause) ? null : cause;
            var why = Parking.sentence(cause);
            log(LOG.atWarn(), arrival)
                    .setCause(trace)
                    .addKeyValue("why", why)
                    .log("cannot be taken in");
            return parking.park(arrival, why, now);
        } catch (RegistryUnavailableException e) {
            return new Later(String.valueOf(e.getMessage()));
        }
    }

    private static void forward(Working work, Outgoing out) {
        var headers = new RecordHeaders();
        out.headers().forEach(header -> headers.add(header.key(), header.value()));
        work.context()
                .forward(
                        new Record<>(
                                out.target(), out.value(), work.now().toEpochMilli(), headers));
    }

    private static ArrayList<Arrival.Header> headersOf(Headers headers) {
        var found = new ArrayList<Arrival.Header>();
        headers.forEach(header -> found.add(new Arrival.Header(header.key(), header.value())));
        return found;
    }

    private static LoggingEventBuilder log(LoggingEventBuilder line, Arrival arrival) {
        return line.addKeyValue("key", arrival.key())
                .addKeyValue("topic", arrival.topic())
                .addKeyValue("partition", arrival.partition())
                .addKeyValue("offset", arrival.offset());
    }
}
