package dev.muster.coordinator.stream;

import dev.muster.schemas.TopicPresence;
import dev.muster.schemas.Topics;
import dev.muster.schemas.crash.CrashPoint;
import dev.muster.streams.CatchUp;
import dev.muster.streams.PacedClients;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running coordinator: streams, time keeper, and what they share. */
public final class CoordinatorStreams implements AutoCloseable {
    /**
     * Of many pools on a thread each waits for so long at most while another is made from its rows.
     */
    private static final Duration SLICE = Duration.ofMillis(100);

    private static final Duration STOPS_WITHIN = Duration.ofSeconds(20);
    private static final Duration LOOKS_AGAIN_AFTER = Duration.ofSeconds(1);
    private static final int LOOKS_PER_LINE = 10;
    private static final Logger log = LoggerFactory.getLogger(CoordinatorStreams.class);

    private final Map<String, Object> kafka;
    private final CoordinatorConfig config;
    private final MeterRegistry meters;
    private final String coreVersion;
    private final Wire wire;
    private volatile @Nullable Running running;
    private volatile boolean closing;
    private volatile boolean clockSetBack;
    private volatile boolean startFailed;

    /** What is there from the start to the end. */
    private record Running(
            KafkaStreams streams,
            CatchUp catchUp,
            Counters counters,
            TimeKeeper time,
            KafkaProducer<byte[], byte[]> producer) {}

    /**
     * Does nothing until {@link #start}.
     *
     * @param kafka settings of every client, those of the registry among them
     * @param coreVersion of the rules in this process, of which every pool hears
     */
    public CoordinatorStreams(
            Map<String, ?> kafka,
            CoordinatorConfig config,
            MeterRegistry meters,
            String coreVersion) {
        this.kafka = new HashMap<>(kafka);
        this.config = config;
        this.meters = meters;
        this.coreVersion = coreVersion;
        wire = new Wire(kafka);
    }

    /** Begins as soon as the inbox is there; returns at once. */
    public void start() {
        Thread.ofVirtual()
                .name("coordinator-start")
                .start(() -> {
                    for (int looks = 0; !closing && !isInboxThere(looks); looks++) {
                        LockSupport.parkNanos(LOOKS_AGAIN_AFTER.toNanos());
                    }
                    begin();
                });
    }

    /**
     * What fails here (a state directory that cannot be written) is for our keeper to start anew.
     */
    void begin() {
        try {
            if (!closing) {
                rehearse();
            }
            synchronized (this) {
                if (!closing) {
                    var begun = made();
                    running = begun; // First: what fails from here on is stopped.
                    begun.time().start();
                    begun.streams().start();
                    if (config.standbyReplicas() > 0) {
                        StandbyWarmUp.begin(begun.streams());
                    }
                }
            }
        } catch (RuntimeException | Error e) {
            if (!closing) {
                log.atError().setCause(e).log("THE START FAILED");
                startFailed = true;
                stop();
            }
        }
    }

    private boolean isInboxThere(int looks) {
        try {
            TopicPresence.require(kafka, Topics.INBOX);
            return true;
        } catch (KafkaException | ExecutionException e) {
            if (looks % LOOKS_PER_LINE == 0) {
                log.atWarn()
                        .addKeyValue("topic", Topics.INBOX.name())
                        .addKeyValue("why", e.getMessage())
                        .log("waiting for the inbox");
            }
            return false;
        } catch (InterruptedException e) {
            throw new KafkaException("interrupted", e);
        }
    }

    private Running made() {
        var producer = new KafkaProducer<byte[], byte[]>(ClientProperties.producer(kafka, config));
        try {
            return madeWith(producer);
        } catch (RuntimeException | Error e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    private Running madeWith(KafkaProducer<byte[], byte[]> producer) {
        var time = new TimeKeeper(producer, wire, InstantSource.system(), System::nanoTime);
        var counters = new Counters(meters);
        var shared = new PoolHost.Shared(wire, time, counters, SLICE, coreVersion);
        var clients =
                new PacedClients(
                        () -> CrashPoint.COORDINATOR_COMMITTING.pass(""),
                        () -> CrashPoint.COORDINATOR_COMMITTED.pass(""),
                        this::onClockSetBack);
        var topology = InboxTopology.of(shared, clients);
        var streams = new KafkaStreams(topology, ClientProperties.streams(kafka, config), clients);
        counters.behindIs(() -> InboxBehind.of(streams.metrics().values()));
        streams.setUncaughtExceptionHandler(cause -> onDeath(cause, counters));
        streams.setStateListener((next, before) ->
                log.atInfo()
                        .addKeyValue("from", before)
                        .addKeyValue("to", next)
                        .log("streams changed state"));
        return new Running(streams, CatchUp.begin(streams), counters, time, producer);
    }

    private void onClockSetBack() {
        clockSetBack = true;
        log.atError().log("THE CLOCK WAS SET BACK: nothing is committed until a restart");
    }

    private void rehearse() {
        long began = System.nanoTime();
        Rehearsal.play(wire, coreVersion);
        log.atInfo()
                .addKeyValue("millis", Duration.ofNanos(System.nanoTime() - began).toMillis())
                .log("rehearsed");
    }

    /** A thread that cannot go on is replaced; a JVM that cannot go on is for its keeper to end. */
    private static StreamThreadExceptionResponse onDeath(Throwable cause, Counters counters) {
        counters.threadDied();
        log.atError().setCause(cause).log("a stream thread died");
        return cause instanceof Error || cause.getCause() instanceof Error
                ? StreamThreadExceptionResponse.SHUTDOWN_CLIENT
                : StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    /**
     * Every pool that is assigned to this process is hosted; and, once since the start, what it
     * keeps for others was nearly complete.
     */
    public boolean isReady() {
        var now = running;
        return now != null
                && now.streams().state() == State.RUNNING
                && now.catchUp().isDone()
                && now.counters().areAllHosted();
    }

    /** It does not come back by itself. */
    public boolean isBroken() {
        var now = running;
        return !closing
                && (startFailed
                        || clockSetBack
                        || (now != null
                                && now.streams().state().hasStartedOrFinishedShuttingDown()));
    }

    /** As Kafka Streams names it. */
    public String state() {
        var now = running;
        return (now == null ? State.CREATED : now.streams().state()).name();
    }

    /** Leaves the group, so that others take the pools over at once. */
    @Override
    public void close() {
        closing = true;
        wire.giveUp();
        stop();
        wire.close();
    }

    private synchronized void stop() {
        var now = running;
        if (now == null) {
            return;
        }
        now.time().close();
        now.streams()
                .close(
                        CloseOptions.timeout(STOPS_WITHIN)
                                .withGroupMembershipOperation(
                                        GroupMembershipOperation.LEAVE_GROUP));
        now.producer().close(STOPS_WITHIN);
    }
}
