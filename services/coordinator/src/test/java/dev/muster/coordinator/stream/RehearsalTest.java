package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.FakeRegistry;
import org.junit.jupiter.api.Test;

/** The script is understood, and passes by whatever the first real job will pass by. */
class RehearsalTest {
    @Test
    void everyTopicButThatOfTheParkedIsWritten() {
        try (var registry = new FakeRegistry();
                var wire = new Wire(registry.config())) {
            assertThat(Rehearsal.play(wire, "1"))
                    .containsExactlyInAnyOrder(
                            Topics.REQUEST_RESULTS.name(),
                            Topics.JOB_PLANS.name(),
                            Topics.JOB_STATUS.name(),
                            Topics.JOB_EVENTS.name(),
                            Topics.DECISIONS.name(),
                            Topics.QUEUES.name(),
                            Topics.POOLS.name());
        }
    }
}
