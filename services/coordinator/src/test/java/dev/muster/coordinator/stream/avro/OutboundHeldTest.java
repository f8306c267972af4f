package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Gate;
import dev.muster.coordinator.stream.RandomValues;
import dev.muster.v1.JobStatus;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OutboundHeldTest {
    private static final Outbound OUTBOUND =
            new Outbound(
                    new Origin("gpu", 5, 42, "cause-1"),
                    Instant.parse("2026-01-01T12:00:00Z"),
                    _ -> workers(1),
                    _ -> null);

    @ParameterizedTest
    @MethodSource
    void statusSaysWhetherItIsToBeReleased(JobState state, boolean held) {
        var any = new RandomValues(1).of(Effect.Status.class);
        var status =
                new Effect.Status(
                        any.job().to(state, any.job().times()),
                        any.word(),
                        any.tally(),
                        any.spots(),
                        any.allowances(),
                        any.autoscaling());
        assertThat(OUTBOUND.records(status).getFirst().value())
                .isInstanceOfSatisfying(
                        JobStatus.class, value -> assertThat(value.getHeld()).isEqualTo(held));
    }

    static Stream<Arguments> statusSaysWhetherItIsToBeReleased() {
        var held = new Gate.Held("until Monday", null);
        return Stream.of(
                Arguments.of(new JobState.Queued(0, held, null), true),
                Arguments.of(new JobState.Queued(0, new Gate.Open(), null), false),
                Arguments.of(new JobState.Suspended(0, "", held, true), true),
                Arguments.of(new JobState.Suspended(0, "", true), false));
    }
}
