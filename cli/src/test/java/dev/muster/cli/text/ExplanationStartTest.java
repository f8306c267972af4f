package dev.muster.cli.text;

import static dev.muster.cli.text.Explained.NOON;
import static dev.muster.cli.text.Explained.OTHER;
import static dev.muster.cli.text.Explained.RING;
import static dev.muster.cli.text.Explained.ROOM;
import static dev.muster.cli.text.Explained.job;
import static dev.muster.cli.text.Explained.lines;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.Standing;
import dev.muster.coordinator.core.Standing.Outlook;
import dev.muster.coordinator.core.Standing.Place;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.history.explain.Explanation.Start;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobRef;
import dev.muster.v1.Placement;
import dev.muster.v1.StartedDecision;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said of the start of a job: what led to it, and why it was its turn. */
class ExplanationStartTest {
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
                decision(
                        NOON.minusSeconds(60),
                        StartedDecision.newBuilder()
                                .setPlacements(List.of(new Placement("worker", 0, "n1")))
                                .setCredits(Map.of("research", 2L))
                                .setPassed(1));
        var start = new Start(decision, "node n1 was seen", "FIFO", null, standing);

        assertThat(lines(standing, start, null))
                .startsWith(
                        "ml/ring was started from queue research at 11:59:00, 3m after it was"
                                + " submitted; its gang does not run yet.",
                        "Why then: node n1 was seen, and its gang fit at once; it passed 1 of its"
                                + " queue that came before it.",
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
    @CsvSource({"1023, 1023 of its queue", "1024, at least 1024 of its queue"})
    void whereVeryManyWerePassedThereMayBeMore(int passed, String said) {
        var standing =
                new Standing(
                        job(new JobState.Running(0, new TreeSet<>(), null, null), NOON),
                        null,
                        List.of(),
                        new Outlook(false, true, null, null, null),
                        List.of(OTHER),
                        List.of());
        var decision =
                decision(
                        NOON,
                        StartedDecision.newBuilder()
                                .setPlacements(List.of())
                                .setCredits(Map.of())
                                .setPassed(passed));
        var start = new Start(decision, "node n1 was seen", "FIFO", null, standing);
        assertThat(lines(standing, start, null).get(1))
                .endsWith("fit at once; it passed %s that came before it.".formatted(said));
    }

    @ParameterizedTest
    @MethodSource
    void startedJobSaysWhyItsTurnCame(
            Map<String, Long> credits, @Nullable JobId holder, String why) {
        var decision =
                decision(
                        NOON,
                        StartedDecision.newBuilder()
                                .setPlacements(List.of())
                                .setCredits(credits)
                                .setPassed(0));
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

    private static Decision decision(Instant at, StartedDecision.Builder started) {
        return Decision.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder()
                                .setId("0-7/1")
                                .setAt(at)
                                .setActor("coordinator")
                                .build())
                .setKind(DecisionKind.STARTED)
                .setPool("default")
                .setQueue("research")
                .setJob(new JobRef("ml", "ring", "0-1"))
                .setStarted(started.build())
                .build();
    }
}
