package dev.muster.cli.text;

import static dev.muster.cli.text.Explained.NOON;
import static dev.muster.cli.text.Explained.SINCE;
import static dev.muster.cli.text.Explained.job;
import static dev.muster.cli.text.Explained.lines;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.Standing;
import dev.muster.coordinator.core.Standing.Outlook;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What containers and operators left in several lines stands in one, within a sentence. */
class ExplanationLinesTest {
    private static final String LOG =
            "worker-1 exited with 1: Traceback\n  step()\nValueError: boom\n=====\n";

    private static final String SENTENCE = "worker-1 exited with 1: Traceback … ValueError: boom";

    @ParameterizedTest
    @MethodSource
    void messageOfSeveralLinesIsOne(JobState state, List<WaitReason> reasons, String told) {
        var standing =
                new Standing(
                        job(state, SINCE),
                        null,
                        reasons,
                        new Outlook(false, true, null, null, null),
                        List.of(),
                        List.of());
        assertThat(lines(standing, null, null))
                .noneMatch(line -> line.contains("\n"))
                .anyMatch(line -> line.contains(told));
    }

    static Stream<Arguments> messageOfSeveralLinesIsOne() {
        var why = new WaitReason(Code.CONTAINER_WAITING, "", null, SINCE, "a", LOG, List.of());
        return Stream.of(
                argumentSet(
                        "failed, and is tried again",
                        new JobState.Restarting(0, NOON, "Error", LOG).at(JobState.Clearing.DONE),
                        List.of(),
                        "attempt 1 failed (" + SENTENCE + "), the next"),
                argumentSet(
                        "ended",
                        new JobState.Ended(new End(Phase.FAILED, "Error", LOG), null),
                        List.of(),
                        "(Error: " + SENTENCE + ")."),
                argumentSet(
                        "suspended",
                        new JobState.Suspended(0, LOG, true),
                        List.of(why),
                        "would wait: " + SENTENCE + "."),
                argumentSet(
                        "starting",
                        new JobState.Starting(0, SINCE, Duration.ZERO, null),
                        List.of(why),
                        "can run: " + SENTENCE + ". What"));
    }
}
