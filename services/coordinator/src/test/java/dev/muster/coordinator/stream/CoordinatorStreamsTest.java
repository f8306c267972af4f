package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.serde.FakeRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a coordinator that cannot begin. */
class CoordinatorStreamsTest {
    private final FakeRegistry registry = new FakeRegistry();

    @TempDir private Path directory;

    @AfterEach
    void close() {
        registry.close();
    }

    @Test
    void coordinatorThatCannotWriteItsStateIsBroken() throws IOException {
        var file = Files.createFile(directory.resolve("file"));

        try (var coordinator = coordinator("localhost:1", file.resolve("state"))) {
            assertThat(coordinator.isBroken()).isFalse();
            coordinator.begin();

            assertThat(coordinator.isBroken()).isTrue();
            assertThat(coordinator.isReady()).isFalse();
        }
    }

    @Test
    void coordinatorWhoseBrokersNameIsUnknownIsBroken() {
        try (var coordinator = coordinator("no-such-broker.invalid:9092", directory)) {
            coordinator.begin();

            assertThat(coordinator.isBroken()).isTrue();
        }
    }

    @Test
    void whoIsClosedBeforeItBeginsIsNotBroken() {
        var coordinator = coordinator("no-such-broker.invalid:9092", directory);
        coordinator.close();

        coordinator.begin();

        assertThat(coordinator.isBroken()).isFalse();
    }

    private CoordinatorStreams coordinator(String brokers, Path state) {
        var kafka = new HashMap<String, Object>(registry.config());
        kafka.put("bootstrap.servers", brokers);
        var config =
                new CoordinatorConfig(
                        "coordinator-test",
                        state,
                        1,
                        0,
                        "",
                        Duration.ofMillis(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10));
        return new CoordinatorStreams(kafka, config, new SimpleMeterRegistry(), "core");
    }
}
