package dev.muster.coordinator.core.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.Event.PodPhase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the end of a hook's pod says of the hook. */
class HookEndTest {
    @ParameterizedTest
    @ValueSource(strings = {"Evicted", "DeadlineExceeded"})
    void hookThatWasToldToEndHasNotDoneItsWork(String reason) {
        var saved = new ContainerEnd(0, "Completed", "half done");
        var pod =
                new Event.Pod(
                        Fixtures.mark("hook", 0, 1),
                        1,
                        PodPhase.FAILED,
                        "node-0",
                        false,
                        false,
                        false,
                        saved,
                        null,
                        reason,
                        "",
                        null);
        assertThat(HookEnd.of(pod)).isEqualTo(new HookEnd.Failed(0, reason, "half done"));
    }
}
