package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that was lost, or given up, is heard of again, and its next silence is another. */
class PoolHeardAgainTest {
    private static final Duration AFTER = Duration.ofMinutes(1);

    /** In which a verdict has settled, and its delay goes on. */
    private static final Duration JUDGED = Duration.ofSeconds(15);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final RankId LOST = new RankId("worker", 1);

    private final Play play = Play.withNodes(4, 4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void whoWasLostIsForcedOnlyOnceItsNodeWasSilentForLongAgain() {
        runs(true);
        silence();
        play.passHeard(AFTER.plus(JUDGED), 0);
        hear();
        silence();
        play.restart();
        play.passHeard(AFTER.minus(SECOND), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(one.rank(1).making().forces()).isFalse();
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(one.rank(1).making().forces()).isTrue();
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void somebodysWordHoldsUntilTheNodeIsHeardOf(boolean isForced) {
        runs(isForced);
        silence();
        force();
        play.passHeard(JUDGED, 0);
        assertThat(one.rank(1).givenUp()).isTrue();
        hear();
        assertThat(one.rank(1).givenUp()).isFalse();
        silence();
        play.restart();
        play.passHeard(AFTER.minus(SECOND), 0);
        assertThat(one.rank(1).making().forces()).isFalse();
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(one.rank(1).making().forces()).isEqualTo(isForced);
    }

    @Test
    void somebodysWordOnAJobThatStopsHoldsNoLonger() {
        runs(false);
        silence();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        force();
        assertThat(play.take(StopPlan.class).getLast().stop().forced())
                .containsExactly(ForcedPods.of(LOST));
        hear();
        silence();
        play.restart();
        play.on(new Event.ChangeAsked(a, new Change.Cancel(SECOND, ""), null));
        assertThat(play.takeOne(StopPlan.class).stop().forced()).isEmpty();
    }

    @Test
    void whoseLossWasIgnoredIsForcedOnlyOnceItsNodeWasSilentForLongAgain() {
        var ignore = new Rule(List.of(), List.of("NodeLost"), null, new Action.Ignore());
        var policy = Fixtures.losing(AFTER, true, policy(Otherwise.POD, ignore));
        one.runs(failing(policy, workers(2, 4)));
        silence();
        play.passHeard(AFTER.plus(JUDGED), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.IGNORED);
        hear();
        play.passHeard(Duration.ofHours(1), 0);
        silence();
        play.on(Fixtures.cancel(a, "", null));
        play.takeEffects();
        one.gone(0);
        play.passHeard(AFTER.minus(SECOND), 0);
        assertThat(play.take(StopPlan.class)).isEmpty();
        play.passHeard(SECOND, 0);
        assertThat(play.takeOne(StopPlan.class).stop().forced())
                .containsExactly(ForcedPods.of(LOST));
    }

    /** Nothing is awaited a second time. */
    @Test
    void whatWasLostBeforeAJobStopsIsForcedAtOnce() {
        runs(true);
        silence();
        play.passHeard(AFTER.plus(JUDGED), 0);
        play.on(Fixtures.cancel(a, "", null));
        play.takeEffects();
        one.gone(0);
        assertThat(play.takeOne(StopPlan.class).stop().forced())
                .containsExactly(ForcedPods.of(LOST));
    }

    private void runs(boolean isForced) {
        one.runs(failing(Fixtures.losing(AFTER, isForced, policy(Otherwise.POD)), workers(2, 4)));
    }

    private void force() {
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), null));
    }

    private String node() {
        return one.rank(1).whereabouts();
    }

    private void silence() {
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node(), 4)));
    }

    private void hear() {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node(), 4)));
        one.seeNewest(1, PodPhase.RUNNING, null);
    }
}
