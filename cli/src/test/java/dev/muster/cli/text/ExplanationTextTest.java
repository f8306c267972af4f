package dev.muster.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.Standing;
import dev.muster.coordinator.core.Standing.Outlook;
import dev.muster.coordinator.core.Standing.Place;
import dev.muster.coordinator.core.Standing.Rival;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Past;
import dev.muster.coordinator.core.model.Uid;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Shortage;
import dev.muster.coordinator.history.Explanation;
import dev.muster.coordinator.history.Explanation.Basis;
import dev.muster.coordinator.history.Explanation.Estimate;
import dev.muster.coordinator.history.Explanation.Start;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobRef;
import dev.muster.v1.Placement;
import dev.muster.v1.StartedDecision;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class ExplanationTextTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Moments MOMENTS = new Moments(NOON, ZoneOffset.UTC);
    private static final Instant SINCE = NOON.minusSeconds(240);
    private static final JobId RING = id("ring");
    private static final WaitReason ROOM =
            new WaitReason(
                    Code.INSUFFICIENT_CAPACITY,
                    "cpu",
                    new Shortage(4000, 1000),
                    SINCE,
                    "3 more of cpu free",
                    "needs 4 of cpu, 1 are free",
                    List.of(new WaitReason.Lack("n1", "lacks 1 of cpu")));
    private static final WaitReason PAUSED =
            new WaitReason(
                    Code.QUEUE_PAUSED,
                    "research",
                    null,
                    SINCE,
                    "resume the queue",
                    "the queue is paused",
                    List.of());
    private static final Rival OTHER = new Rival(id("other"), "research", 0, 1, 0, ROOM);

    private static JobId id(String name) {
        return new JobId("ml", name, new Uid(0, 1));
    }

    /** What the rules need of a job's work is not needed to speak of it. */
    private static Job job(JobState state, @Nullable Instant admitted) {
        var place = new JobSpec.Place("research", 0, null, false, List.of(), new TreeMap<>());
        return new Job(
                RING,
                new JobSpec(place, null),
                1,
                state,
                new Job.Fences(admitted == null ? 0 : 1, 0, 0, 0),
                new Job.Times(SINCE, admitted, null, null, null, Duration.ZERO),
                1,
                new Job.Due(false, false),
                List.of(),
                Past.of(SINCE));
    }

    private static Explanation told(Standing standing, Start start, Estimate estimate) {
        return new Explanation(
                RING,
                "default",
                NOON,
                start == null ? null : start.decision(),
                null,
                standing,
                start,
                estimate,
                new Basis(NOON.minusSeconds(600), 1234, Duration.ofMillis(1500)));
    }

    private static Standing waits(List<WaitReason> reasons, List<Rival> ahead) {
        return new Standing(
                job(new JobState.Queued(0, new JobState.Gate.Open(), null), null),
                new Place(ahead.size() + 1, 5),
                reasons,
                new Outlook(reasons.isEmpty(), true, null, null, null),
                ahead,
                List.of());
    }

    private static List<String> lines(Standing standing, Start start, Estimate estimate) {
        return ExplanationText.of(told(standing, start, estimate), MOMENTS);
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
                argumentSet("held", new JobState.Gate.Held(""), List.of(), "when it is released"),
                argumentSet(
                        "behind",
                        new JobState.Gate.Behind(),
                        List.of(),
                        "when the jobs that it waits for have come as far as it asks"));
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
                new JobState.Restarting(
                        NOON.plusSeconds(30), "Error", "exit 1", JobState.Clearing.DONE);
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
                                + " submitted; its gang does not run yet; worker-1 is to be made"
                                + " again: needs 4 of cpu, 1 are free. What would change it: 3 more of"
                                + " cpu free.")
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
    void startedJobSaysWhatLedToItAndWhomItPassed() {
        var standing =
                new Standing(
                        job(
                                new JobState.Running(0, new TreeSet<>(), null, null),
                                NOON.minusSeconds(60)),
                        null,
                        List.of(),
                        new Outlook(false, true, null, null, null),
                        List.of(OTHER),
                        List.of());
        var decision =
                Decision.newBuilder()
                        .setEnvelope(
                                Envelope.newBuilder()
                                        .setId("0-7/1")
                                        .setAt(NOON.minusSeconds(60))
                                        .setActor("coordinator")
                                        .build())
                        .setKind(DecisionKind.STARTED)
                        .setPool("default")
                        .setQueue("research")
                        .setJob(new JobRef("ml", "ring", "0-1"))
                        .setStarted(
                                StartedDecision.newBuilder()
                                        .setPlacements(List.of(new Placement("worker", 0, "n1")))
                                        .setCredits(Map.of("research", 2L))
                                        .setPassed(1)
                                        .build())
                        .build();
        var start = new Start(decision, "node n1 was seen", "FIFO", null, standing);

        assertThat(lines(standing, start, null))
                .startsWith(
                        "ml/ring was started from queue research at 11:59:00, 3m after it was"
                                + " submitted; its gang does not run yet.",
                        "Why then: node n1 was seen, and its gang fit at once; 1 of its queue that"
                                + " came before it did not.",
                        "",
                        "Recorded      11:59:00  Started  [0-7/1]",
                        "              pods by node: {n1=1}",
                        "              credits before the turn: {research=2}")
                .contains(
                        "Turns         by fifo",
                        "Why it        no other queue that stood as near to its guarantee could"
                                + " start a job",
                        "It passed     ml/other (queue research, weight 1, credit 0; priority 0):"
                                + " InsufficientCapacity, needs 4 of cpu, 1 are free");
    }

    @ParameterizedTest
    @MethodSource
    void startedJobSaysWhyItsTurnCame(
            Map<String, Long> credits, @Nullable JobId holder, String why) {
        var decision =
                Decision.newBuilder()
                        .setEnvelope(
                                Envelope.newBuilder()
                                        .setId("0-7/1")
                                        .setAt(NOON)
                                        .setActor("coordinator")
                                        .build())
                        .setKind(DecisionKind.STARTED)
                        .setPool("default")
                        .setQueue("research")
                        .setStarted(
                                StartedDecision.newBuilder()
                                        .setPlacements(List.of())
                                        .setCredits(credits)
                                        .setPassed(0)
                                        .build())
                        .build();
        var before =
                new Standing(
                        job(new JobState.Queued(0, new JobState.Gate.Open(), null), null),
                        new Place(1, 1),
                        List.of(ROOM),
                        new Outlook(false, true, null, null, holder),
                        List.of(),
                        List.of());
        var start = new Start(decision, "", "SMOOTH_WEIGHTED_ROUND_ROBIN", before, null);
        assertThat(new StartText(start, RING).lines()).containsEntry("Why it", why);
    }

    static Stream<Arguments> startedJobSaysWhyItsTurnCame() {
        return Stream.of(
                argumentSet(
                        "made again",
                        Map.of(),
                        null,
                        "its gang was made again in the room that was its own: it was nobody's turn"),
                argumentSet(
                        "holder",
                        Map.of("research", 1L, "b", 2L),
                        RING,
                        "the pool kept room for it, and it fit: the holder goes before all turns"),
                argumentSet(
                        "turn",
                        Map.of("research", 1L, "b", 2L),
                        null,
                        "of the queues that could start a job, credit and weight of its own came to"
                                + " the most"));
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
