package dev.muster.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.deploy.Invariants.Event;
import dev.muster.deploy.PodLives.Life;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import dev.muster.v1.ScaleStage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The judge of the crash tests sees what it is there for. */
class InvariantsTest {
    private static final List<Event> GOOD =
            List.of(
                    event(1, 0, 0, Phase.QUEUED),
                    event(2, 1, 1, Phase.STARTING),
                    event(3, 1, 20, Phase.RESTARTING),
                    event(4, 2, 30, Phase.STARTING),
                    event(5, 2, 40, Phase.SUCCEEDED));

    @Test
    void whatIsInOrderIsNotTalkedOf() {
        var ranks = ranks(life("m/0", 1, 2, 22), life("m/0", 2, 31, 41));
        assertThat(Invariants.ofEvents(GOOD)).isEmpty();
        assertThat(Invariants.ofRanks(ranks)).isEmpty();
        assertThat(Invariants.ofStalePods(ranks, GOOD)).isEmpty();
        assertThat(
                        Invariants.ofAnswers(
                                Map.of("1", "job submitted"),
                                Map.of("1", List.of(Outcome.ACCEPTED))))
                .isEmpty();
    }

    @Test
    void gapRepeatAndSecondEndAreSeen() {
        assertThat(Invariants.ofEvents(GOOD.subList(1, 5)))
                .singleElement()
                .isEqualTo("ns/job@0-1 has events numbered [2, 3, 4, 5]");
        assertThat(Invariants.ofEvents(with(event(5, 2, 40, null)))).hasSize(1);
        assertThat(Invariants.ofEvents(with(event(6, 2, 41, Phase.FAILED))))
                .containsExactly("ns/job@0-1 has 2 ends");
        assertThat(Invariants.ofEvents(GOOD.subList(0, 4)))
                .containsExactly("ns/job@0-1 has 0 ends");
    }

    @Test
    void twoLivingPodsOfARankAreSeen() {
        assertThat(Invariants.ofRanks(ranks(life("m/0", 1, 2, 22), life("m/0", 1, 21, 30))))
                .containsExactly("job/m/0 has two living pods");
    }

    @Test
    void attemptThatBeginsBesideTheOneBeforeIsSeen() {
        assertThat(Invariants.ofRanks(ranks(life("m/0", 1, 2, 22), life("w/0", 2, 21, 30))))
                .containsExactly(
                        "job/w/0 of attempt 2 is made before job/m/0 of attempt 1 is gone");
    }

    @Test
    void attemptThatSavedAndGoesOnIsNotOver() {
        var events =
                List.of(
                        event(1, 1, 0, Phase.RUNNING),
                        event(2, 1, 10, Phase.STOPPING),
                        event(3, 1, 20, Phase.RUNNING),
                        event(4, 1, 60, Phase.SUCCEEDED));
        assertThat(Invariants.ofStalePods(ranks(life("w/1", 1, 30, 60)), events)).isEmpty();
        assertThat(Invariants.ofStalePods(ranks(life("w/1", 1, 61, 90)), events)).hasSize(1);
    }

    @Test
    void stalePodThatStaysIsSeen() {
        assertThat(Invariants.ofStalePods(ranks(life("m/0", 1, 21, 31)), GOOD)).isEmpty();
        assertThat(Invariants.ofStalePods(ranks(life("m/0", 1, 21, 32)), GOOD))
                .containsExactly("job/m/0 is made when its attempt is over, and stays");
    }

    @Test
    void lostRequestAndTwoAnswersAreSeen() {
        var asked = Map.of("1", "job submitted");
        assertThat(Invariants.ofAnswers(asked, Map.of()))
                .containsExactly("job submitted was acknowledged and never answered");
        assertThat(
                        Invariants.ofAnswers(
                                asked, Map.of("1", List.of(Outcome.ACCEPTED, Outcome.CONFLICT))))
                .containsExactly("job submitted was answered with [ACCEPTED, CONFLICT]");
    }

    @Test
    void repeatOfAChangeMayBeToldThatTheJobHasEndedSince() {
        var asked = Map.of("1", "job cancel");
        var ended = List.of(Outcome.ACCEPTED, Outcome.ACCEPTED, Outcome.ENDED);
        var gone = List.of(Outcome.ACCEPTED, Outcome.NOT_FOUND);
        var back = List.of(Outcome.ENDED, Outcome.ACCEPTED);
        assertThat(Invariants.ofAnswers(asked, Map.of("1", ended))).isEmpty();
        assertThat(Invariants.ofAnswers(asked, Map.of("1", gone))).isEmpty();
        assertThat(Invariants.ofAnswers(asked, Map.of("1", back))).hasSize(1);
    }

    @Test
    void commandOfScaleWithoutOneLastEndIsSeen() {
        var good = List.of(ScaleStage.WAITING, ScaleStage.SCALING, ScaleStage.SUCCEEDED);
        assertThat(Invariants.ofScalings(Map.of("job 1", good))).isEmpty();
        assertThat(
                        Invariants.ofScalings(
                                Map.of(
                                        "job 2", List.of(ScaleStage.WAITING),
                                        "job 3", List.of(ScaleStage.FAILED, ScaleStage.SUCCEEDED),
                                        "job 4",
                                                List.of(ScaleStage.SUCCEEDED, ScaleStage.SCALING))))
                .hasSize(3);
    }

    private static List<Event> with(Event more) {
        var all = new ArrayList<>(GOOD);
        all.add(more);
        return all;
    }

    private static Event event(long seq, int attempt, long at, @Nullable Phase to) {
        return new Event("ns/job@0-1", seq, attempt, second(at), to);
    }

    private static Life life(String rank, int attempt, long from, long gone) {
        return new Life(
                "job/" + rank, attempt, rank + from, second(from), second(gone), second(gone));
    }

    private static Map<String, List<Life>> ranks(Life... lives) {
        var ranks = new TreeMap<String, List<Life>>();
        for (var life : lives) {
            ranks.computeIfAbsent(life.rank(), _ -> new ArrayList<>()).add(life);
        }
        return ranks;
    }

    private static Instant second(long second) {
        return Instant.ofEpochSecond(second);
    }
}
