package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.jobs.Hindrances;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of a job whose ranks fail. */
class PoolFailuresTest {
    private static final FailurePolicy PODS = policy(Otherwise.POD);
    private static final Duration SETTLE = FailurePolicy.PLAIN.settle();

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private final JobId b = job("b", 2);

    @Test
    void gangIsMadeAnewOnceNothingIsLeftOfIt() {
        one.runs(workers(2, 1));
        one.fail(1, 1);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(SETTLE, 0);
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.RESTARTING);
        assertThat(effects).filteredOn(StopPlan.class::isInstance).hasSize(1);
        one.gone(0);
        assertThat(play.takeEffects()).noneMatch(RunPlan.class::isInstance);
        one.gone(1);
        one.applied(false);
        assertThat(play.takeOne(StopPlan.class).stop().confirm()).isTrue();
        one.applied(true);
        assertThat(play.takeEffects()).noneMatch(RunPlan.class::isInstance);
        play.passHeard(Duration.ofSeconds(10), 0);
        var again = play.takeOne(RunPlan.class);
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.pods()).hasSize(2);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void strongestCauseOfThoseThatSettledIsCharged() {
        one.runs(workers(3, 1));
        one.fail(0, 1);
        one.fail(1, 137);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(SETTLE, 0);
        var moved = play.takeOne(Effect.Moved.class);
        assertThat(moved.message()).isEqualTo("worker-1 exited with 137; restart 1");
    }

    @Test
    void clusterIsChargedForWhatItTookAwayAtOnce() {
        one.runs(workers(3, 1));
        one.fail(0, 1);
        play.on(new Event.PodGone(WATCHER, a, OneJob.mark(2)));
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(play.job(a).past().budgets().own()).isZero();
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    @Test
    void silentNodeOfTheGangIsChargedWithItsPeersEnds() {
        one.runs(workers(2, 4));
        one.fail(0, 1);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 8)));
        play.passHeard(SETTLE, 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(Failures.NODE_SETTLE, 0);
        var moved = play.takeOne(Effect.Moved.class);
        assertThat(moved.reason()).isEqualTo("NodeLost");
        assertThat(moved.message())
                .isEqualTo("node node-1 is not heard of; worker-0 exited with 1; restart 1");
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    @Test
    void thousandPodsLostAtOnceAreOneRestart() {
        var large = Play.withNodes(LongsOf.ten(100));
        large.on(new Event.Submitted(a, workers(1000, 1), null));
        large.takeEffects();
        for (int i = 0; i < 1000; i++) {
            large.on(new Event.PodGone(WATCHER, a, Fixtures.mark("worker", i, i + 1)));
        }
        var effects = large.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.RESTARTING);
        assertThat(effects).filteredOn(StopPlan.class::isInstance).hasSize(1);
        assertThat(large.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    private static final class LongsOf {
        static long[] ten(long each) {
            return IntStream.range(0, 10).mapToLong(_ -> each).toArray();
        }
    }

    @Test
    void roomOfAGangThatIsMadeAnewIsNobodyElses() {
        one.runs(workers(2, 4));
        play.on(new Event.Submitted(b, workers(1, 4), null));
        one.fail(0, 1);
        play.passHeard(SETTLE, 0);
        one.gone(0);
        one.gone(1);
        one.applied(false);
        one.applied(true);
        play.takeEffects();
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(a);
    }

    @Test
    void gangWhoseNodeIsLostWaitsInItsQueueAgain() {
        one.runs(workers(2, 4));
        play.on(new Event.PodGone(WATCHER, a, OneJob.mark(1)));
        play.on(new Event.NodeReleased(WATCHER, "node-1"));
        one.gone(0);
        one.applied(false);
        one.applied(true);
        play.takeEffects();
        play.passHeard(Duration.ofSeconds(11), 0);
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.QUEUED);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));
        assertThat(play.takeOne(RunPlan.class).attempt()).isEqualTo(2);
    }

    @Test
    void jobThatAlwaysFailsEndsWithTheBudgetNamed() {
        var limits = new FailurePolicy.Limits(1, 100, Duration.ofHours(24));
        one.runs(failing(with(limits), workers(1, 1)));
        one.fail(0, 3);
        play.passHeard(SETTLE, 0);
        one.gone(0);
        one.applied(false);
        one.applied(true);
        play.passHeard(Duration.ofSeconds(10), 0);
        play.takeEffects();
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        a,
                        Fixtures.pod(
                                one.newest(0), one.nextVersion(), PodPhase.FAILED, "node-0", 3)));
        play.passHeard(SETTLE, 0);
        var moved = play.takeOne(Effect.Moved.class);
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.reason()).isEqualTo("BackoffLimitExceeded");
        assertThat(moved.message())
                .isEqualTo(
                        "backoffLimit 1 within 24h is used up; the last failure: worker-0 exited"
                                + " with 3");
    }

    @Test
    void ruleThatFailsTheJobWaitsForNothing() {
        var rule =
                new Rule(
                        List.of(new FailurePolicy.ExitCodes(42, 42)),
                        List.of(),
                        null,
                        new Action.Fail("bad data"));
        one.runs(failing(policy(Otherwise.GANG, rule), workers(2, 1)));
        one.fail(0, 1);
        one.fail(1, 42);
        var moved = play.takeOne(Effect.Moved.class);
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.message()).isEqualTo("bad data (worker-1 exited with 42)");
    }

    @Test
    void onlyThePodThatWasKilledIsMadeAgainWhereTheOthersGoOn() {
        one.runs(failing(PODS, workers(2, 1)));
        one.fail(1, 137);
        play.passHeard(SETTLE, 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(Duration.ofSeconds(10), 0);
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).isEmpty();
        var plan = (RunPlan) effects.stream().filter(RunPlan.class::isInstance).toList().getLast();
        assertThat(plan.attempt()).isEqualTo(1);
        assertThat(plan.pods()).extracting(Effect.PlannedPod::incarnation).containsExactly(1, 3);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void programsOwnExitCodeIsFinalWhereSinglePodsAreMadeAgain() {
        one.runs(failing(PODS, workers(2, 1)));
        one.fail(1, 1);
        play.passHeard(SETTLE, 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.FAILED);
    }

    @Test
    void peersOfALostPodAreMadeAgainWithIt() {
        one.runs(failing(PODS, workers(3, 1)));
        one.fail(0, 1);
        play.on(new Event.PodGone(WATCHER, a, OneJob.mark(2)));
        play.passHeard(SETTLE, 0);
        play.takeEffects();
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(play.take(RunPlan.class).getLast().pods())
                .extracting(Effect.PlannedPod::incarnation)
                .containsExactly(4, 2, 5);
    }

    @Test
    void wholeRoleIsMadeAgainInItsPlaces() {
        var rule = Fixtures.rule(new Action.RestartRole());
        one.runs(failing(policy(Otherwise.GANG, rule), workers(2, 1)));
        one.fail(1, 1);
        play.passHeard(SETTLE.plusSeconds(10), 0);
        var plan = play.take(RunPlan.class).getLast();
        assertThat(plan.attempt()).isEqualTo(1);
        assertThat(plan.pods()).extracting(Effect.PlannedPod::incarnation).containsExactly(3, 4);
    }

    @Test
    void lossOfACriticalIndexIsTheWholeGangs() {
        var role = workers(2, 1).roles().getFirst();
        var critical = Fixtures.caring(new JobSpec.Care(null, new TreeSet<>(List.of(1))), role);
        one.runs(failing(PODS, Fixtures.spec("default", critical)));
        one.fail(1, 137);
        play.passHeard(SETTLE, 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
    }

    @Test
    void ignoredFailureIsAnEndLikeAnyOther() {
        var rule = Fixtures.rule(new Action.Ignore());
        one.runs(failing(policy(Otherwise.GANG, rule), workers(2, 1)));
        one.fail(1, 1);
        play.passHeard(SETTLE, 0);
        assertThat(play.takePhases(a)).isEmpty();
        one.succeed(0);
        assertThat(play.takePhases(a)).containsExactly(Phase.SUCCEEDED);
    }

    @Test
    void imageThatCannotBePulledFailsTheJobWithTheKubeletsWords() {
        play.on(new Event.Submitted(a, workers(1, 1), null));
        play.takeEffects();
        var pending = Fixtures.pod(OneJob.mark(0), one.nextVersion(), PodPhase.PENDING, "node-0");
        play.on(new Event.PodSeen(WATCHER, a, OneJob.hindered(pending)));
        play.passHeard(Hindrances.LIMIT, 0);
        var moved = play.take(Effect.Moved.class).getLast();
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.reason()).isEqualTo("ErrImagePull");
        assertThat(moved.message()).isEqualTo("worker-0: no such image");
    }

    @Test
    void timeOfTheGangDoesNotSaveAnImageThatCannotBePulled() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        play.on(new Event.Submitted(a, workers(1, 1), null));
        one.applied(false);
        play.passHeard(Duration.ofSeconds(20), 0);
        var pending = Fixtures.pod(OneJob.mark(0), one.nextVersion(), PodPhase.PENDING, "node-0");
        play.on(new Event.PodSeen(WATCHER, a, OneJob.hindered(pending)));
        play.passHeard(workers(1, 1).gang().timeout(), 0);
        var moved = play.take(Effect.Moved.class).getLast();
        assertThat(moved.to()).isEqualTo(Phase.FAILED);
        assertThat(moved.reason()).isEqualTo("ErrImagePull");
    }

    @Test
    void cancelBetweenAttemptsEndsAtOnceAndGivesTheRoomBack() {
        restartedAndGone();
        play.on(Fixtures.cancel(a, "", null));
        assertThat(play.takePhases(a)).containsExactly(Phase.CANCELLED);
        play.on(new Event.Submitted(b, workers(2, 4), null));
        assertThat(play.takePhases(b)).contains(Phase.STARTING);
    }

    @Test
    void suspendBetweenAttemptsCostsNothingAndResumeIsTheNextAttempt() {
        restartedAndGone();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        assertThat(play.takePhases(a)).containsExactly(Phase.SUSPENDED);
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        assertThat(play.takeOne(RunPlan.class).attempt()).isEqualTo(2);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void delayIsTheFirstAgainOnceItRanForLong() {
        restartedAndGone();
        play.passHeard(Duration.ofSeconds(10), 0);
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        a,
                        Fixtures.pod(
                                one.newest(0),
                                one.nextVersion(),
                                PodPhase.RUNNING,
                                "node-0",
                                null)));
        assertThat(play.job(a).past().budgets().inARow()).isEqualTo(1);
        play.passHeard(FailurePolicy.PLAIN.delay().max(), 0);
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        a,
                        Fixtures.pod(
                                one.newest(0), one.nextVersion(), PodPhase.FAILED, "node-0", 1)));
        play.passHeard(SETTLE, 0);
        assertThat(play.job(a).past().budgets().inARow()).isEqualTo(1);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(2);
    }

    @Test
    void whatIsDecidedOutlivesARestartOfTheCoordinator() {
        one.runs(workers(1, 1));
        one.fail(0, 1);
        play.restart();
        play.passHeard(SETTLE, 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        play.restart();
        one.gone(0);
        one.applied(false);
        one.applied(true);
        play.restart();
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(play.take(RunPlan.class)).hasSize(1);
    }

    private void restartedAndGone() {
        one.runs(workers(1, 4));
        one.fail(0, 1);
        play.passHeard(SETTLE, 0);
        one.gone(0);
        one.applied(false);
        one.applied(true);
        play.takeEffects();
    }

    private static FailurePolicy with(FailurePolicy.Limits limits) {
        var plain = FailurePolicy.PLAIN;
        return new FailurePolicy(
                plain.otherwise(),
                limits,
                plain.delay(),
                plain.settle(),
                plain.nodeLost(),
                List.of());
    }
}
