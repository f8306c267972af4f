package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.schemas.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who comes second to a real broker is ready, too, once it has what the first one has. */
class StandbyReadyIT {
    /** Less than what is waited for where nobody knows how much is missing. */
    private static final Duration PATIENCE = Duration.ofSeconds(50);

    @TempDir private static Path states;

    @Test
    void alonePromptlyAndSecondOnceItHasTheStateOfTheFirst() {
        try (var outside = new Outside();
                var first = started("first")) {
            await().atMost(PATIENCE).until(first::isReady);
            var pool = outside.pool(11).withNodes(1, 1);
            pool.send(submitted(job("it-standby", 1), workers(1)));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(outside.read(Topics.JOB_PLANS)).isNotEmpty());

            try (var second = started("second")) {
                await().atMost(PATIENCE).until(second::isReady);
                await().atMost(PATIENCE).until(first::isReady);
            }
        }
    }

    private static CoordinatorStreams started(String state) {
        var config =
                new CoordinatorConfig(
                        "coordinator-standby-it",
                        states.resolve(state),
                        1,
                        1,
                        "",
                        Duration.ofMillis(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10));
        var coordinator =
                new CoordinatorStreams(Outside.KAFKA, config, new SimpleMeterRegistry(), "standby");
        coordinator.start();
        return coordinator;
    }
}
