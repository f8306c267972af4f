package dev.muster.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.replay.Finding;
import dev.muster.coordinator.history.replay.Replay;
import dev.muster.coordinator.history.replay.RuleVersions;
import dev.muster.coordinator.history.whatif.WhatIf;
import dev.muster.coordinator.history.whatif.WhatIf.OfQueue;
import dev.muster.coordinator.history.whatif.WhatIf.Waits;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is printed of the past: replayed, and as it might have been. */
class HistoryTextTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static List<String> whatIf(int assumed, int measured, int strays, int unstarted) {
        return whatIf(assumed, measured, strays, unstarted, new RuleVersions(List.of("1"), "1"));
    }

    private static List<String> whatIf(
            int assumed, int measured, int strays, int unstarted, RuleVersions rules) {
        return whatIf(assumed, measured, strays, unstarted, rules, null);
    }

    private static List<String> whatIf(
            int assumed,
            int measured,
            int strays,
            int unstarted,
            RuleVersions rules,
            Finding.NotTaken stop) {
        var before = new Waits(3, MINUTE, MINUTE, MINUTE.multipliedBy(3));
        var after = new Waits(2, Duration.ZERO, Duration.ZERO, MINUTE);
        var result =
                new WhatIf.Result(
                        NOON,
                        NOON.plus(Duration.ofHours(1)),
                        new TreeMap<>(Map.of("research", new OfQueue(before, after, 1, 2))),
                        new TreeSet<>(),
                        assumed,
                        measured,
                        strays,
                        Duration.ofMillis(300),
                        Duration.ofMillis(1200),
                        unstarted,
                        rules,
                        stop);
        var moments = new Moments(NOON.plus(Duration.ofHours(2)), ZoneOffset.UTC);
        return WhatIfText.of("default", "weight research=3", result, moments);
    }

    @Test
    void whatOtherRulesDecidedIsSaid() {
        assertThat(whatIf(0, 0, 0, 0)).noneMatch(line -> line.startsWith("Other rules"));
        assertThat(whatIf(0, 0, 0, 0, new RuleVersions(List.of("1", "2"), "2")))
                .contains(
                        "Other rules: version 1, then 2 decided, and the rules here are those of 2:"
                                + " the replay may part from what was decided.");
    }

    @Test
    void recordAtWhichThePoolCannotGoOnIsNamed() {
        var stop = new Finding.NotTaken(77, "the rules fail");
        assertThat(whatIf(0, 0, 0, 0, new RuleVersions(List.of("1"), "1"), stop))
                .contains(
                        "Stopped: it ends before what the pool cannot go on with; inbox record 77"
                                + " cannot be taken in here: the rules fail.");
    }

    @Test
    void queueShowsWaitsBeforeAndAfterAndHowManyStartEarlierAndLater() {
        var lines = whatIf(0, 0, 0, 0);

        assertThat(lines)
                .first()
                .isEqualTo(
                        "Pool default from 12:00:00 to 13:00:00, as it would have been with weight"
                                + " research=3:");
        assertThat(lines.get(3).split(" {2,}"))
                .containsExactly(
                        "research",
                        "3 -> 2",
                        "60.0s -> 0.0s",
                        "60.0s -> 0.0s",
                        "3m -> 60.0s",
                        "1",
                        "2");
    }

    @Test
    void allThatHadToBeAssumedIsSaid() {
        assertThat(whatIf(4, 5, 6, 0))
                .anyMatch(line -> line.startsWith("Assumed: ") && line.contains("Each pod runs"))
                .anyMatch(line -> line.startsWith("4 jobs never started in the log"))
                .anyMatch(line -> line.startsWith("Left out: how fast jobs train, which 5 said"))
                .anyMatch(line -> line.startsWith("6 pods were on nodes that are left out"))
                .last()
                .asString()
                .endsWith("misses the recorded starts by 0.3s in the mean, by 1.2s at most.");
        assertThat(whatIf(0, 0, 0, 0))
                .noneMatch(line -> line.contains("never started"))
                .noneMatch(line -> line.startsWith("Left out") || line.contains("nodes that are"));
    }

    /** How far the others are off would say nothing of them. */
    @Test
    void whoDoesNotStartWhereNothingIsAlteredIsCounted() {
        assertThat(whatIf(0, 0, 0, 7))
                .last()
                .asString()
                .endsWith("by 1.2s at most; 7 jobs that started do not start in it.");
    }

    @Test
    void replayThatIsTheSameSaysSoFirst() {
        var same = new Replay.Result(1200, 3400, 0, 5, 0, 0, 2, List.of());

        assertThat(ReplayText.of("default", same))
                .containsExactly(
                        "identical: 1,200 inbox records of pool default led to the same 3,400"
                                + " records that were published",
                        "  5 more were published in topics that no longer keep them",
                        "  2 more are deletions: not compared");
    }

    /** As with the command line of another release. */
    @Test
    void replayThatComparedNothingDoesNotSayThatItIsTheSame() {
        var others = new Replay.Result(93, 0, 0, 0, 26, 0, 0, List.of());

        assertThat(others.isCompared()).isFalse();
        assertThat(ReplayText.of("default", others))
                .containsExactly(
                        "NOT compared: nothing that followed from 93 inbox records of pool default"
                                + " could be",
                        "  26 more were decided by another version of the core: not compared");
        assertThat(new Replay.Result(0, 0, 0, 0, 0, 0, 0, List.of()).isCompared()).isFalse();
        assertThat(new Replay.Result(3, 0, 0, 0, 0, 0, 0, List.of()).isCompared()).isTrue();
        assertThat(new Replay.Result(3, 0, 1, 0, 5, 0, 0, List.of()).isCompared()).isTrue();
    }

    @Test
    void replayThatPartsSaysWhere() {
        var finding = new Finding.Differs(7, "muster.job-plans", "7-0", "{a}", "{b}");
        var other = new Replay.Result(10, 3, 2, 0, 0, 0, 0, List.of(finding));

        assertThat(ReplayText.of("default", other))
                .containsExactly(
                        "NOT identical: 2 differences in 10 inbox records of pool default; 3"
                                + " records are as published",
                        "muster.job-plans 7-0 differs\n  published: {a}\n  replayed:  {b}",
                        "… and more, which are not shown");
    }
}
