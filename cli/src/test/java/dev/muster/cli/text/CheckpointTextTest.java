package dev.muster.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Checkpoint.Stage;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CheckpointTextTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Moments MOMENTS = new Moments(NOON, ZoneOffset.UTC);

    @ParameterizedTest
    @MethodSource
    void oneSentenceSaysWhatAJobWasAskedAndWhatBecameOfIt(
            Stage stage, String message, String said) {
        var until = NOON.plusSeconds(120);
        var asked = new Checkpoint(7, 1, "it makes room for ml/b", until, stage, message, NOON);
        assertThat(CheckpointText.of(asked, MOMENTS))
                .isEqualTo("It was asked to save: it makes room for ml/b; " + said);
    }

    static Stream<Arguments> oneSentenceSaysWhatAJobWasAskedAndWhatBecameOfIt() {
        return Stream.of(
                argumentSet("open", Stage.ASKED, "", "its answer is waited for until 12:02:00."),
                argumentSet("saved", Stage.SAVED, "step 40", "it did at 12:00:00 (step 40)."),
                argumentSet("failed", Stage.FAILED, "", "it could not, at 12:00:00."),
                argumentSet("late", Stage.TIMED_OUT, "x", "it had not answered by 12:00:00."),
                argumentSet("other", Stage.WITHDRAWN, "x", "it was taken back at 12:00:00."));
    }
}
