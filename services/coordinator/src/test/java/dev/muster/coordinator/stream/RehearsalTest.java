package dev.muster.coordinator.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.FakeRegistry;
import java.util.concurrent.atomic.AtomicInteger;
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

    @Test
    void takeoversAreRehearsedUntilTheProcessIsToEnd() {
        try (var registry = new FakeRegistry();
                var wire = new Wire(registry.config())) {
            var asked = new AtomicInteger();
            assertThat(Rehearsal.takeOver(wire, "1", () -> asked.incrementAndGet() < 4)).isZero();
            assertThat(asked).hasValue(4);
            assertThat(Rehearsal.takeOver(wire, "1", () -> true)).isEqualTo(30);
        }
    }
}
