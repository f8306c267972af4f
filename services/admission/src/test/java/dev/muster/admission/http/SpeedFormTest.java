package dev.muster.admission.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.v1.Envelope;
import dev.muster.v1.TrainingMetrics;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A sample as a script writes it. */
class SpeedFormTest {
    @Test
    void numbersAreTakenInTheirUnits() {
        var read =
                read(
                        """
                        {"step": 120, "epoch": 2, "attempt": 3, "incarnation": 7, "workers": 4,
                         "secondsPerStep": 0.8125, "samplesPerSecond": 512.5, "secondsPerBatch": 0.2}
                        """);
        assertThat(read.problems()).isEmpty();
        assertThat(read.metrics())
                .isEqualTo(
                        TrainingMetrics.newBuilder()
                                .setEnvelope(envelope().setAttempt(3).build())
                                .setNamespace("ml")
                                .setName("resnet")
                                .setStep(120)
                                .setEpoch(2L)
                                .setIncarnation(7)
                                .setWorkers(4)
                                .setStepMicros(812_500L)
                                .setSamplesPerSecondThousandths(512_500L)
                                .setBatchMicros(200_000L)
                                .build());
    }

    @ParameterizedTest
    @MethodSource
    void whatIsWrongIsSaidWithItsPath(String body, String path, String message) {
        var read = read(body);
        assertThat(read.metrics()).isNull();
        assertThat(read.problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.path()).isEqualTo(path);
                    assertThat(problem.message()).contains(message);
                });
    }

    static Stream<Arguments> whatIsWrongIsSaidWithItsPath() {
        return Stream.of(
                argumentSet("no object", "[1]", "", "JSON object"),
                argumentSet("no JSON", "{", "", "JSON object"),
                argumentSet("no step", "{}", "step", "must be set"),
                argumentSet("unknown", "{\"step\": 1, \"loss\": 2}", "loss", "known are"),
                argumentSet("text", "{\"step\": \"one\"}", "step", "must be a number"),
                argumentSet("large", "{\"step\": 1e30}", "step", "too large"),
                argumentSet(
                        "too many", "{\"step\": 1, \"workers\": 1e10}", "workers", "too large"));
    }

    private static SpeedForm.Result read(String body) {
        return SpeedForm.read(body, "ml", "resnet", envelope());
    }

    private static Envelope.Builder envelope() {
        return Envelope.newBuilder().setId("x").setAt(Instant.EPOCH).setActor("http");
    }
}
