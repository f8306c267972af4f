package dev.muster.cli.text;

import static dev.muster.cli.text.Explained.NOON;
import static dev.muster.cli.text.Explained.OTHER;
import static dev.muster.cli.text.Explained.ROOM;
import static dev.muster.cli.text.Explained.SINCE;
import static dev.muster.cli.text.Explained.job;
import static dev.muster.cli.text.Explained.lines;
import static dev.muster.cli.text.Explained.told;
import static dev.muster.cli.text.Explained.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.Standing;
import dev.muster.coordinator.core.Standing.Outlook;
import dev.muster.coordinator.core.Standing.Place;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Shortage;
import dev.muster.coordinator.history.explain.Explanation.Estimate;
import dev.muster.coordinator.history.replay.Finding;
import dev.muster.coordinator.history.replay.RuleVersions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class ExplanationTextTest {
    private static final WaitReason PAUSED =
            new WaitReason(
                    Code.QUEUE_PAUSED,
                    "research",
                    null,
                    SINCE,
                    "resume the queue",
                    "the queue is paused",
                    List.of());

    @Test
    void recordAtWhichThePoolCannotGoOnIsNamed() {
        var stop = new Finding.NotTaken(77, "the rules fail");
        var told =
                told(
                        waits(List.of(ROOM), List.of(OTHER)),
                        null,
                        null,
                        new RuleVersions(List.of("1"), "1"),
                        stop);
        assertThat(lines(told))
                .contains(
                        "Stopped       so it stood before; inbox record 77 cannot be taken in here:"
                                + " the rules fail");
        assertThat(ExplanationDocument.of(told))
                .extractingByKey("replay", MAP)
                .containsEntry("stop", stop.sentence());
    }

    @Test
    void firstTwoLinesSayWhyItWaitsAndWhatWouldChangeIt() {
        assertThat(lines(waits(List.of(ROOM), List.of(OTHER)), null, null))
                .startsWith(
                        "ml/ring waits in queue research, place 2 of 5, for 4m (since 11:56:00).",
                        "Why: needs 4 of cpu, 1 are free, and ml/other goes first."
                                + " What would change it: 3 more of cpu free.",
                        "")
                .contains(
                        "Replayed      12:00:00, from the snapshot of 11:50:00 on, 1,234 inbox"
                                + " records in 1.5 s",
                        "              nearest: n1 lacks 1 of cpu",
                        "Estimate      none: too few jobs of its queue started within the last"
                                + " hour");
    }

    /** More of one of them alone would change nothing. */
    @Test
    void allQuotasThatAreShortAreInTheAnswer() {
        var reasons = List.of(quota("cpu", "one"), quota("gpu", "two"), ROOM);
        assertThat(lines(waits(reasons, List.of()), null, null).get(1))
                .isEqualTo("Why: needs cpu; needs gpu. What would change it: one; two.");
        var same = List.of(quota("cpu", "one"), quota("gpu", "one"), ROOM);
        assertThat(lines(waits(same, List.of()), null, null).get(1))
                .endsWith("What would change it: one.");
        assertThat(lines(waits(List.of(PAUSED, ROOM), List.of()), null, null).get(1))
                .isEqualTo("Why: the queue is paused. What would change it: resume the queue.");
    }

    private static WaitReason quota(String of, String remedy) {
        return new WaitReason(
                Code.QUOTA_EXCEEDED,
                of,
                new Shortage(2000, -1000),
                SINCE,
                remedy,
                "needs " + of,
                List.of());
    }

    @ParameterizedTest
    @MethodSource
    void waitingJobKnowsItsNextTry(JobState.Gate gate, List<WaitReason> reasons, String next) {
        var standing =
                new Standing(
                        job(new JobState.Queued(0, gate, null), null),
                        new Place(1, 1),
                        reasons,
                        new Outlook(false, true, null, null, null),
                        List.of(),
                        List.of());
        assertThat(lines(standing, null, null)).contains("Next try      " + next);
    }

    static Stream<Arguments> waitingJobKnowsItsNextTry() {
        var open = new JobState.Gate.Open();
        return Stream.of(
                argumentSet(
                        "open",
                        open,
                        List.of(ROOM),
                        "with the next event that makes room or changes a queue"),
                argumentSet("paused", open, List.of(PAUSED), "when its queue is resumed"),
                argumentSet(
                        "backs off",
                        new JobState.Gate.Later(NOON.plusSeconds(60)),
                        List.of(),
                        "at 12:01:00"),
                argumentSet(
                        "held", new JobState.Gate.Held("", null), List.of(), "when it is released"),
                argumentSet(
                        "behind",
                        new JobState.Gate.Behind(),
                        List.of(),
                        "when the jobs that it waits for have come as far as it asks"));
    }

    /** Only of those that take part in turns are some alike, and their first is told for all. */
    @Test
    void nothingRecordedHasItsReason() {
        assertThat(recorded(new JobState.Queued(0, new JobState.Gate.Open(), null)))
                .isEqualTo(
                        "nothing about this job alone: of those that are alike only the first is"
                                + " told");
        assertThat(recorded(new JobState.Suspended(0, "", true)))
                .isEqualTo("nothing: a suspended job is not tried");
        assertThat(recorded(new JobState.Queued(0, new JobState.Gate.Held("", null), ROOM)))
                .isEqualTo(
                        "nothing in queue research: it was told in another, or is no longer kept");
    }

    private static String recorded(JobState state) {
        var standing =
                new Standing(
                        job(state, null),
                        new Place(1, 1),
                        List.of(),
                        new Outlook(false, true, null, null, null),
                        List.of(),
                        List.of());
        return lines(standing, null, null).stream()
                .filter(line -> line.startsWith("Recorded"))
                .map(line -> line.substring("Recorded".length()).strip())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void noPaceIsTakenWhereNothingCanStart() {
        var unavailable = new WaitReason(Code.POOL_UNAVAILABLE, "", null, SINCE, "", "", List.of());
        for (var reason : List.of(PAUSED, unavailable)) {
            assertThat(lines(waits(List.of(reason), List.of()), null, null))
                    .contains(
                            "Estimate      none: it does not start before what is in its way is"
                                    + " changed");
        }
    }

    @Test
    void jobThatFailedSaysWhenItsNextAttemptIsMade() {
        var again =
                new JobState.Restarting(0, NOON.plusSeconds(30), "Error", "exit 1")
                        .at(JobState.Clearing.DONE);
        var standing =
                new Standing(
                        job(again, SINCE),
                        null,
                        List.of(),
                        new Outlook(false, true, null, null, null),
                        List.of(),
                        List.of());
        assertThat(lines(standing, null, null).getFirst())
                .endsWith("; attempt 1 failed (exit 1), the next is made from 12:00:30 on.");
    }

    @Test
    void jobThatWouldFitStandsBehindAnother() {
        assertThat(lines(waits(List.of(), List.of(OTHER)), null, null))
                .contains("Why: it would fit, and stands behind ml/other in its queue.");
    }

    @Test
    void estimateSaysWhatItRestsOn() {
        var estimate = new Estimate(NOON.plusSeconds(300), 2, 12, NOON.minusSeconds(1800));
        assertThat(lines(waits(List.of(ROOM), List.of(OTHER)), null, estimate))
                .contains(
                        "Estimate      about 12:05:00 (in 5m): 12 jobs of its queue started since"
                                + " 11:30:00, it is number 2");
    }

    @Test
    void startingJobWhoseImageIsNotThereSaysTheKubeletsWords() {
        var why =
                new WaitReason(
                        WaitReason.Code.CONTAINER_WAITING,
                        "worker-0",
                        null,
                        SINCE,
                        "an image that can be pulled",
                        "worker-0: ImagePullBackOff: no such image",
                        List.of());
        var standing =
                new Standing(
                        job(new JobState.Starting(0, SINCE, Duration.ZERO, null), SINCE),
                        null,
                        List.of(why),
                        new Outlook(false, true, null, null, null),
                        List.of(),
                        List.of());
        assertThat(lines(standing, null, null).getFirst())
                .endsWith(
                        "; not all of it can run: worker-0: ImagePullBackOff: no such image. What"
                                + " would change it: an image that can be pulled.");
    }

    @Test
    void runningJobSaysWhyPodsOfItAreNotMade() {
        var clock = new JobState.StageClock(new TreeSet<>(List.of("worker")), SINCE, null, null);
        var why =
                new WaitReason(
                        ROOM.code(),
                        ROOM.scope(),
                        ROOM.shortage(),
                        SINCE,
                        ROOM.remedy(),
                        "worker-1 is to be made again: " + ROOM.message(),
                        ROOM.nearest());
        var standing =
                new Standing(
                        job(new JobState.Running(0, new TreeSet<>(), clock, null), SINCE),
                        null,
                        List.of(why),
                        new Outlook(false, true, null, null, null),
                        List.of(),
                        List.of());
        assertThat(lines(standing, null, null))
                .startsWith(
                        "ml/ring was started from queue research at 11:56:00, 0s after it was"
                                + " submitted; its gang does not run yet; worker-1 is to be made again:"
                                + " needs 4 of cpu, 1 are free. What would change it: 3 more of cpu"
                                + " free.")
                .contains("              nearest: n1 lacks 1 of cpu");
        assertThat(ExplanationDocument.of(told(standing, null, null)))
                .extractingByKey("reasons")
                .asInstanceOf(LIST)
                .hasSize(1);
    }

    @Test
    void suspendedJobSaysWhetherItWouldFit() {
        var standing =
                new Standing(
                        job(new JobState.Suspended(0, "", true), null),
                        new Place(1, 1),
                        List.of(),
                        new Outlook(true, true, null, null, null),
                        List.of(),
                        List.of());
        assertThat(lines(standing, null, null))
                .startsWith(
                        "ml/ring is suspended in queue research: it does not start until it is"
                                + " resumed.",
                        "Resumed now it would fit: the room it needs is free.");
    }

    @Test
    void suspendedJobThatIsHeldSaysThatItWouldBeHeldAgain() {
        var held =
                new WaitReason(
                        Code.HELD, "", null, NOON, "release the job", "until Monday", List.of());
        assertThat(suspended(new JobState.Gate.Held("until Monday", null), held, null))
                .contains(
                        "Resumed now it would wait: until Monday. What would change it: release"
                                + " the job.",
                        "In the way    Held: until Monday",
                        "Next try      when it is resumed and released");
    }

    @Test
    void suspendedJobThatBacksOffSaysUntilWhen() {
        var until = NOON.plusSeconds(60);
        var backsOff =
                new WaitReason(
                        Code.BACKING_OFF,
                        "",
                        null,
                        NOON,
                        "it is tried again later",
                        "its gang did not run in time",
                        List.of());
        assertThat(suspended(new JobState.Gate.Later(until), backsOff, until))
                .contains(
                        "Resumed now it would wait: its gang did not run in time. What would"
                                + " change it: it is tried again later.",
                        "Next try      when it is resumed, from 12:01:00 on");
    }

    private static List<String> suspended(
            JobState.Gate gate, WaitReason reason, @Nullable Instant nextTry) {
        var standing =
                new Standing(
                        job(new JobState.Suspended(0, "", gate, true), null),
                        new Place(1, 1),
                        List.of(reason),
                        new Outlook(true, true, nextTry, null, null),
                        List.of(),
                        List.of());
        return lines(standing, null, null);
    }

    @Test
    void whatOtherRulesDecidedIsSaid() {
        var standing = waits(List.of(ROOM), List.of());
        assertThat(lines(told(standing, null, null)))
                .noneMatch(line -> line.startsWith("Other rules"));
        var other = told(standing, null, null, new RuleVersions(List.of("1"), "2"));
        assertThat(lines(other))
                .contains(
                        "Other rules   version 1 decided, and the rules here are those of 2: the"
                                + " replay may part from what was decided");
        assertThat(ExplanationDocument.of(other))
                .extractingByKey("replay")
                .asInstanceOf(MAP)
                .containsEntry("decidedBy", List.of("1"))
                .containsEntry("replayedBy", "2");
    }

    @Test
    void documentHasTheNumbersInTheirUnits() throws Exception {
        var document = ExplanationDocument.of(told(waits(List.of(ROOM), List.of()), null, null));
        var json = new JsonMapper().readTree(Documents.json(List.of(document), false));

        assertThat(json.at("/reasons/0/need").asLong()).isEqualTo(4000);
        assertThat(json.at("/reasons/0/shortBy").asLong()).isEqualTo(3000);
        assertThat(json.at("/position").asInt()).isEqualTo(1);
        assertThat(json.at("/waitingSince").asString()).isEqualTo(SINCE.toString());
    }
}
