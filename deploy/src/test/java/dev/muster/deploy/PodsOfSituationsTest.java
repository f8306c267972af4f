package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.deploy.JobRecords.Ask;
import dev.muster.deploy.PodLives.Life;
import dev.muster.v1.CheckpointStage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The judge of situations sees what it is there for. */
class PodsOfSituationsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Map<String, Situation> NOTICED = Map.of("j", Situation.NOTICED);
    private static final Map<String, Situation> GIVING = Map.of("j", Situation.GIVING);
    private static final Map<String, Situation> ASKING = Map.of("j", Situation.ASKING);
    private static final Map<String, Situation> SHRINKING = Map.of("j", Situation.SHRINKING);

    @Test
    void podThatIsMadeTwiceOrNeverIsSeen() {
        var first = List.of(life("j/launcher/0", 0, 9), life("j/worker/0", 0, 5));
        var second = List.of(life("j/worker/1", 0, 4), life("j/worker/1", 5, 9));
        var third = List.of(life("j/worker/2", 4, 9));
        assertThat(PodsOfSituations.miscounted(NOTICED, ranks(first, second, third))).isEmpty();
        var other = List.of(life("j/worker/1", 0, 4), life("j/worker/3", 5, 9));
        assertThat(PodsOfSituations.miscounted(NOTICED, ranks(first, other, third))).isEmpty();
        assertThat(PodsOfSituations.miscounted(NOTICED, ranks(first, second)))
                .singleElement()
                .asString()
                .startsWith("j had pods {j/launcher/0=1, j/worker/0=1, j/worker/1=2}, none of ");
        assertThat(PodsOfSituations.miscounted(NOTICED, ranks(first, second, third, third)))
                .hasSize(1);
        assertThat(PodsOfSituations.miscounted(NOTICED, ranks(first, first, second, third)))
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"SHRINKING", "HOOKED", "ASKING", "GROWING"})
    void workerThatIsMadeTwiceByOneCommandOfScaleIsSeen(Situation situation) {
        var master = List.of(life("j/master/0", 0, 9));
        var first = List.of(life("j/worker/0", 0, 9));
        var second = List.of(life("j/worker/1", 0, 4));
        var again = List.of(life("j/worker/1", 5, 9));
        var jobs = Map.of("j", situation);
        assertThat(PodsOfSituations.miscounted(jobs, ranks(master, first, second))).isEmpty();
        assertThat(PodsOfSituations.miscounted(jobs, ranks(master, first, second, again)))
                .singleElement()
                .asString()
                .contains("j/worker/1=2}, none of ");
    }

    @Test
    void workerThatHasLeftAndIsMadeOnceMoreIsSeenUnlessItGoesSoon() {
        var first = List.of(life("j/worker/0", 0, 60));
        var second = List.of(life("j/worker/1", 0, 20));
        var soon = List.of(life("j/worker/1", 30, 40));
        var late = List.of(life("j/worker/1", 50, 61));
        assertThat(PodsOfSituations.back(SHRINKING, ranks(first, second))).isEmpty();
        assertThat(PodsOfSituations.back(SHRINKING, ranks(first, second, soon))).isEmpty();
        assertThat(PodsOfSituations.back(SHRINKING, ranks(first, second, soon, late)))
                .containsExactly("j/worker/1 has left, is made once more, and stays");
    }

    @Test
    void workerWhoseIndexIsGivenAgainMayStay() {
        var again = List.of(life("j/worker/1", 0, 5), life("j/worker/1", 10, 60));
        assertThat(PodsOfSituations.back(GIVING, ranks(again))).isEmpty();
        assertThat(PodsOfSituations.back(NOTICED, ranks(again))).isEmpty();
        var other = List.of(life("j/worker/0", 0, 5), life("j/worker/0", 10, 60));
        assertThat(PodsOfSituations.back(NOTICED, ranks(other))).hasSize(1);
    }

    @Test
    void nodeThatIsMoreThanFullIsSeen() {
        var workers = List.of(life("j/worker/0", 0, 20), life("j/worker/1", 0, 5));
        var again = List.of(life("j/worker/1", 10, 20), life("other/worker/0", 0, 20));
        assertThat(PodsOfSituations.tooMany(GIVING, ranks(workers, taker(5, 10), again))).isEmpty();
        assertThat(PodsOfSituations.tooMany(GIVING, ranks(workers, taker(4, 10), again)))
                .containsExactly("j and its taker had more pods than their node takes");
        assertThat(PodsOfSituations.tooMany(GIVING, ranks(workers, taker(5, 11), again)))
                .hasSize(1);
    }

    private static List<Life> taker(int from, int until) {
        return List.of(life("j-taker/worker/0", from, until));
    }

    @ParameterizedTest
    @EnumSource(names = {"ENDING", "CANCELLED"})
    void guardedJobWhoseBudgetIsNeverMadeOrTwiceIsSeen(Situation situation) {
        var jobs = Map.of("j", situation, "other", Situation.STARTING);
        assertThat(PodsOfSituations.unguarded(jobs, Map.of("j", 1L))).isEmpty();
        assertThat(PodsOfSituations.unguarded(jobs, Map.of("other", 1L)))
                .containsExactly("j has had 0 budgets");
        assertThat(PodsOfSituations.unguarded(jobs, Map.of("j", 2L)))
                .containsExactly("j has had 2 budgets");
    }

    @Test
    void whoLeavesBeforeItsJobHasSavedIsSeen() {
        var ranks = ranks(List.of(life("j/master/0", 0, 9), life("j/worker/1", 0, 5)));
        assertThat(PodsOfSituations.unsaved(ASKING, ranks, asks(4))).isEmpty();
        assertThat(PodsOfSituations.unsaved(ASKING, ranks, asks(6)))
                .containsExactly("j/worker/1 leaves before its job has saved");
    }

    @Test
    void jobThatIsNeverAskedOrTwiceIsSeen() {
        var twice = Stream.concat(asked(4).stream(), asked(4).stream()).toList();
        assertThat(PodsOfSituations.unsaved(ASKING, Map.of(), Map.of()))
                .containsExactly("j was asked to save: []");
        assertThat(PodsOfSituations.unsaved(ASKING, Map.of(), Map.of("j", twice))).hasSize(1);
    }

    private static Map<String, List<Ask>> asks(int saved) {
        return Map.of("j", asked(saved));
    }

    private static List<Ask> asked(int saved) {
        return List.of(
                new Ask(NOON.plusSeconds(3), CheckpointStage.ASKED),
                new Ask(NOON.plusSeconds(saved), CheckpointStage.SAVED));
    }

    private static Life life(String rank, int from, int until) {
        var end = NOON.plusSeconds(until);
        return new Life(rank, 1, rank + from, NOON.plusSeconds(from), end, end);
    }

    @SafeVarargs
    private static Map<String, List<Life>> ranks(List<Life>... lives) {
        var ranks = new TreeMap<String, List<Life>>();
        for (var some : lives) {
            some.forEach(
                    life -> ranks.computeIfAbsent(life.rank(), _ -> new ArrayList<>()).add(life));
        }
        return ranks;
    }
}
