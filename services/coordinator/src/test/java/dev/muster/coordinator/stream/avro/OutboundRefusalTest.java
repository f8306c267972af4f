package dev.muster.coordinator.stream.avro;

import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Fault;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.v1.RequestResult;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OutboundRefusalTest {
    private static final Outbound OUTBOUND =
            new Outbound(
                    new Origin("gpu", 5, 42, "cause-1"),
                    Instant.parse("2026-01-01T12:00:00Z"),
                    _ -> workers(1),
                    _ -> null);

    @Test
    void refusalNamesTheFieldThatIsWrong() {
        var answer =
                new Effect.Answer(
                        new Request("ml", "r1"),
                        Outcome.REFUSED,
                        null,
                        null,
                        "spec.limit.cpu must be more",
                        new Fault("spec.limit.cpu", "4", "must be more"));

        assertThat(OUTBOUND.records(answer))
                .extracting(Output::value)
                .singleElement()
                .isInstanceOfSatisfying(
                        RequestResult.class,
                        result ->
                                assertThat(result.getProblems())
                                        .containsExactly(
                                                new dev.muster.v1.Problem(
                                                        "spec.limit.cpu", "4", "must be more")));
    }
}
