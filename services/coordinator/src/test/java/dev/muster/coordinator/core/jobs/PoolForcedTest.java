package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.within;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that force what dead nodes hold, and are to go for another reason than a failure. */
class PoolForcedTest {
    private static final Duration AFTER = Duration.ofMinutes(2);
    private static final FailurePolicy FORCE = Fixtures.losing(AFTER, true, FailurePolicy.PLAIN);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private int lost;

    @ParameterizedTest
    @MethodSource
    void stoppingEndsOnceTheNodeIsLost(Change change, Phase end) {
        runs();
        silence();
        play.on(new Event.ChangeAsked(a, change, null));
        one.gone(1 - lost);
        one.applied(false);
        play.takeEffects();
        play.passHeard(AFTER.minusSeconds(1), 0);
        assertThat(play.take(StopPlan.class)).allMatch(plan -> plan.stop().forced().isEmpty());
        play.passHeard(Duration.ofSeconds(1), 0);
        isForced();
        one.gone(lost);
        one.applied(false);
        one.applied(true);
        assertThat(play.takePhases(a)).endsWith(end);
    }

    static Stream<Object[]> stoppingEndsOnceTheNodeIsLost() {
        return Stream.of(
                new Object[] {new Change.Cancel(null, ""), Phase.CANCELLED},
                new Object[] {new Change.Suspend(null, ""), Phase.SUSPENDED});
    }

    /** Pod-manager may not have carried out the plan before. */
    @Test
    void whoeverForcesLeavesTheOthersTheTimeThatTheCancelGaveThem() {
        runs();
        silence();
        play.on(new Event.ChangeAsked(a, new Change.Cancel(Duration.ofSeconds(3), ""), null));
        play.restart();
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), null));
        var stop = play.takeOne(StopPlan.class).stop();
        assertThat(stop.forced()).isNotEmpty();
        assertThat(stop.grace()).isEqualTo(Duration.ofSeconds(3));
        assertThat(stop.sooner()).isTrue();
    }

    @Test
    void somebodysWordHoldsForEveryLaterPlanOfTheStop() {
        runs();
        silence();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), null));
        isForced();
        play.restart();
        play.on(new Event.ChangeAsked(a, new Change.Cancel(Duration.ofSeconds(3), ""), null));
        isForced();
    }

    @Test
    void whatIsForcedIsTheKubeletsAgainOnceItsNodeIsHeardOf() {
        runs();
        silence();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), null));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new Change.Cancel(Duration.ofSeconds(3), ""), null));
        assertThat(play.takeOne(StopPlan.class).stop().forced()).isEmpty();
    }

    @Test
    void nodeThatFallsSilentAfterTheCancelIsForcedAsWell() {
        runs();
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        one.gone(1 - lost);
        silence();
        play.takeEffects();
        play.passHeard(AFTER, 0);
        isForced();
    }

    @Test
    void whatLivesStillHasItsTimeToEnd() {
        runs();
        silence();
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        play.takeEffects();
        play.passHeard(AFTER, 0);
        assertThat(play.take(StopPlan.class)).isEmpty();
        one.gone(1 - lost);
        isForced();
    }

    @Test
    void gangThatDidNotRunInTimeLeavesTheDeadNode() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        play.on(new Event.Submitted(a, failing(FORCE, workers(2, 4)), null));
        one.applied(false);
        lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        one.see(lost, Event.PodPhase.RUNNING, null);
        play.passHeard(workers(1, 1).gang().timeout(), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        one.gone(1 - lost);
        silence();
        play.takeEffects();
        play.passHeard(AFTER, 0);
        isForced();
    }

    @Test
    void endedJobLeavesTheDeadNodeOnceItsPodsAreToGo() {
        runs();
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        one.succeed(1 - lost);
        silence();
        one.see(lost, Event.PodPhase.SUCCEEDED, 0);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUCCEEDED);
        one.gone(1 - lost);
        one.applied(false);
        play.takeEffects();
        play.passHeard(workers(1, 1).ttl().plus(AFTER), 0);
        isForced();
    }

    /** Its logs are kept, and what runs was told to go when it ended. */
    @Test
    void endedJobLeavesTheDeadNodeWhereItStillRuns() {
        var none = Duration.ZERO;
        var deadlines = new JobSpec.Deadlines(none, none, AFTER.minusSeconds(10));
        one.runs(within(deadlines, failing(FORCE, workers(2, 4))));
        lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        silence();
        play.passHeard(AFTER.minusSeconds(10), 0);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.FAILED);
        assertThat(play.takeOne(StopPlan.class).stop().forced()).isEmpty();
        play.restart();
        play.passHeard(Duration.ofSeconds(10), 0);
        isForced();
    }

    private void isForced() {
        assertThat(play.take(StopPlan.class))
                .last()
                .extracting(plan -> plan.stop().forced())
                .isEqualTo(List.of(ForcedPods.of(new RankId("worker", lost))));
    }

    private void runs() {
        one.runs(failing(FORCE, workers(2, 4)));
        lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
    }

    private void silence() {
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 4)));
    }
}
