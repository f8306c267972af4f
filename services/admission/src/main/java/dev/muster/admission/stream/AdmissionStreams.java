package dev.muster.admission.stream;

import dev.muster.admission.AdmissionConfig;
import dev.muster.schemas.crash.CrashPoint;
import dev.muster.streams.CatchUp;
import dev.muster.streams.PacedClients;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Runs the topology as long as the application runs; ready while it does, and what it keeps for
 * others was nearly complete once.
 */
@Component("streams")
final class AdmissionStreams implements SmartLifecycle, HealthIndicator {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionStreams.class);
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final KafkaProperties kafka;
    private final AdmissionConfig config;
    private final ApplicationContext application;
    private final Lookup lookup;
    private @Nullable Running running;

    private record Running(KafkaStreams streams, CatchUp catchUp, Codec codec) {}

    AdmissionStreams(
            KafkaProperties kafka,
            AdmissionConfig config,
            ApplicationContext application,
            Lookup lookup) {
        this.kafka = kafka;
        this.config = config;
        this.application = application;
        this.lookup = lookup;
    }

    @Override
    public void start() {
        var properties = new Properties();
        properties.putAll(kafka.buildStreamsProperties());
        var codec = new Codec(kafka.buildStreamsProperties());
        var clients =
                new PacedClients(
                        () -> CrashPoint.ADMISSION_COMMITTING.pass(""),
                        () -> CrashPoint.ADMISSION_COMMITTED.pass(""),
                        this::onClockSetBack);
        var topology =
                AdmissionTopology.build(
                        codec, lookup, config.queueWait(), config.closedNamespaces(), clients);
        var streams = new KafkaStreams(topology, properties, clients);
        streams.setUncaughtExceptionHandler(AdmissionStreams::thrown);
        streams.setStateListener((to, from) -> moved(from, to));
        lookup.open(streams, codec);
        streams.start();
        running = new Running(streams, CatchUp.begin(streams), codec);
    }

    /** A throw costs its thread, and what it did since the last commit is done again. */
    private static StreamThreadExceptionResponse thrown(Throwable cause) {
        LOG.atError().setCause(cause).log("stream thread died; another takes its place");
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    private void onClockSetBack() {
        LOG.atError().log("THE CLOCK WAS SET BACK: nothing is committed until a restart");
        AvailabilityChangeEvent.publish(application, LivenessState.BROKEN);
    }

    private void moved(State from, State to) {
        LOG.atInfo().addKeyValue("from", from).addKeyValue("to", to).log("streams");
        if (to == State.ERROR) {
            AvailabilityChangeEvent.publish(application, LivenessState.BROKEN);
        }
    }

    @Override
    public void stop() {
        if (running != null) {
            lookup.close();
            running.streams().close(CLOSING);
            running.codec().close();
            running = null;
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    @Override
    public Health health() {
        var now = running;
        var state = now == null ? State.NOT_RUNNING : now.streams().state();
        var caughtUp = now != null && now.catchUp().isDone();
        var health = state == State.RUNNING && caughtUp ? Health.up() : Health.outOfService();
        return health.withDetail("state", state.name()).withDetail("caughtUp", caughtUp).build();
    }
}
