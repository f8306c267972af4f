package dev.muster.admission.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.v1.Envelope;
import dev.muster.v1.JobSignal;
import dev.muster.v1.JobSignalKind;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A signal as a script writes it. */
class SignalFormTest {
    @Test
    void answerIsTakenWhetherItsIdIsWrittenAsTextOrAsANumber() {
        var answer =
                JobSignal.newBuilder()
                        .setEnvelope(envelope().setAttempt(2).build())
                        .setKind(JobSignalKind.CHECKPOINT_SAVED)
                        .setNamespace("ml")
                        .setName("resnet")
                        .setAnswers("17")
                        .setMessage("step 400")
                        .build();
        for (var id : new String[] {"\"17\"", "17"}) {
            var read =
                    read(
                            """
                            {"kind": "CheckpointSaved", "answers": %s, "attempt": 2, "message": "step 400"}
                            """
                                    .formatted(id));
            assertThat(read.problems()).isEmpty();
            assertThat(read.signal()).isEqualTo(answer);
        }
    }

    @Test
    void rankSaysThatItHasDrained() {
        var read =
                read(
                        "{\"kind\": \"Drained\", \"role\": \"worker\", \"index\": 3, \"incarnation\": 7}");
        assertThat(read.signal())
                .isEqualTo(
                        JobSignal.newBuilder()
                                .setEnvelope(envelope().build())
                                .setKind(JobSignalKind.DRAINED)
                                .setNamespace("ml")
                                .setName("resnet")
                                .setRole("worker")
                                .setIndex(3)
                                .setIncarnation(7)
                                .build());
    }

    @ParameterizedTest
    @MethodSource
    void whatIsWrongIsSaidWithItsPath(String body, String path, String message) {
        var read = read(body);
        assertThat(read.signal()).isNull();
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
                argumentSet("unknown", "{\"step\": 1}", "step", "known are"),
                argumentSet("no text", "{\"message\": {}}", "message", "must be a text"),
                argumentSet("text", "{\"attempt\": \"one\"}", "attempt", "whole number"),
                argumentSet("large", "{\"index\": 3000000000}", "index", "whole number"));
    }

    private static SignalForm.Result read(String body) {
        return SignalForm.read(body, "ml", "resnet", envelope());
    }

    private static Envelope.Builder envelope() {
        return Envelope.newBuilder().setId("x").setAt(Instant.EPOCH).setActor("http");
    }
}
