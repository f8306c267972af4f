package dev.muster.coordinator.stream;

import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.clock.MachineClock;
import dev.muster.sandbox.kafka.Kafka;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.UntilJvmEnds;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A real broker of its own, whose clock goes ahead by hours and is set right. */
final class AheadBroker {
    static final Duration HOURS = Duration.ofHours(3);

    private final MachineClock clock;
    private final Kafka broker;
    private final Map<String, Object> kafka;

    AheadBroker(Path folder) {
        clock = new MachineClock(folder);
        var place = new Place(folder, new UntilJvmEnds(), false, Progress.silent());
        broker = Kafka.start(place, List.of(clock.flag()));
        kafka =
                Map.of(
                        "bootstrap.servers", broker.bootstrapServers(),
                        "schema.registry.url", TestParts.registryUrl());
    }

    /** Settings of its clients. */
    Map<String, Object> kafka() {
        return kafka;
    }

    /**
     * Returns when it is.
     *
     * @param appending appends a record, and says when it was
     */
    void goAhead(Supplier<Instant> appending) {
        clock.set(HOURS);
        await().until(() -> isAhead(appending.get()));
    }

    /** The same back. */
    void setRight(Supplier<Instant> appending) {
        clock.set(Duration.ZERO);
        await().until(() -> !isAhead(appending.get()));
    }

    /** Else it runs until this JVM ends. */
    void kill() {
        broker.process().kill();
    }

    private static boolean isAhead(Instant appended) {
        return appended.isAfter(Instant.now().plus(HOURS.dividedBy(2)));
    }
}
