package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.admission.core.Signal.Kind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with what jobs say of themselves. */
class JobReportsTest {
    @ParameterizedTest
    @CsvSource({
        "CHECKPOINT_SAVED, 7, , , ",
        "CHECKPOINT_SAVED, , , , answers",
        "CHECKPOINT_SAVED, '', , , answers",
        "CHECKPOINT_FAILED, 7, , , ",
        "CHECKPOINT_FAILED, , , , answers",
        "DRAINED, , worker, 0, ",
        "DRAINED, , worker, -1, index",
        "DRAINED, , worker, , index",
        "DRAINED, , , 0, role",
        "DRAINED, , , , role index",
        "UNKNOWN, , , , kind",
    })
    void signalSaysWhatItsKindNeeds(
            Kind kind,
            @Nullable String answers,
            @Nullable String role,
            @Nullable Integer index,
            @Nullable String wrong) {
        var signal = new Signal(kind, answers, role, index);
        assertThat(paths(signal.problems())).isEqualTo(wrong == null ? "" : wrong);
        assertThat(signal.isUnasked()).isEqualTo("answers".equals(wrong));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 1, 1, 0, 1, ''",
        "-1, , , 1, , , step",
        "0, -1, , 1, , , epoch",
        "0, , 0, 1, , , workers",
        "0, , , 0, , , secondsPerStep",
        "0, , , , -1, , samplesPerSecond",
        "0, , , 1, , 0, secondsPerBatch",
        "0, , , , , 1, samplesPerSecond",
    })
    void sampleIsOfASpeedThatCanBe(
            long step,
            @Nullable Long epoch,
            @Nullable Integer workers,
            @Nullable Long stepMicros,
            @Nullable Long samples,
            @Nullable Long batchMicros,
            String wrong) {
        var sample =
                new SpeedSample(
                        Instant.EPOCH,
                        null,
                        null,
                        null,
                        workers,
                        step,
                        epoch,
                        stepMicros,
                        samples,
                        batchMicros);
        assertThat(paths(sample.problems())).isEqualTo(wrong);
        assertThat(sample.problems())
                .allSatisfy(problem ->
                        assertThat(problem.message())
                                .startsWith(
                                        problem.given().equals("0")
                                                ? "must be more than 0"
                                                : "must "));
    }

    private static String paths(List<Problem> problems) {
        return String.join(" ", problems.stream().map(Problem::path).toList());
    }
}
