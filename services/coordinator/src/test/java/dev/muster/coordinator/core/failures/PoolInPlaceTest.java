package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.InPlaceJob.ON_42;
import static dev.muster.coordinator.core.fixtures.InPlaceJob.PATIENCE;
import static dev.muster.coordinator.core.fixtures.InPlaceJob.SETTLE_AND_DELAY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.InPlaceJob;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Ranks whose containers start again in their pods. */
class PoolInPlaceTest {
    private final InPlaceJob job = new InPlaceJob();
    private final Play play = job.play;
    private final JobId a = job.id;
    private final OneJob one = job.one;

    @Test
    void whatTheKubeletRestartedIsANewIncarnationInItsPod() {
        one.runs(failing(policy(Otherwise.POD, ON_42), workers(2, 1)));
        job.restarted(1, 1, 42);
        job.pass(SETTLE_AND_DELAY);
        var effects = play.takeEffects();
        assertThat(effects)
                .filteredOn(RunPlan.class::isInstance)
                .allSatisfy(plan -> isAsItWas((RunPlan) plan));
        assertThat(effects)
                .filteredOn(Effect.RankPlaced.class::isInstance)
                .extracting(effect -> ((Effect.RankPlaced) effect).incarnation())
                .containsExactly(3);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RUNNING);
        assertThat(one.rank(1).making().incarnation()).isEqualTo(2);
        assertThat(play.job(a).fences().attempt()).isEqualTo(1);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
        job.restarted(1, 2, 42);
        job.pass(SETTLE_AND_DELAY.multipliedBy(2));
        assertThat(one.rank(1).making().newest()).isEqualTo(4);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(2);
    }

    @Test
    void restartAfterItsEndWasSeenIsTheSame() {
        one.runs(failing(policy(Otherwise.POD, ON_42), workers(2, 1)));
        one.see(1, PodPhase.RUNNING, 42);
        assertThat(one.rank(1).state()).isEqualTo(RankState.FAILED);
        job.restarted(1, 1, 42);
        assertThat(one.rank(1).state()).isEqualTo(RankState.FAILED);
        job.pass(SETTLE_AND_DELAY);
        assertThat(play.take(RunPlan.class)).allSatisfy(PoolInPlaceTest::isAsItWas);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RUNNING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void restartThatNoRuleAskedForIsAFailureOfTheGang() {
        one.runs(failing(policy(Otherwise.GANG, ON_42), workers(2, 1)));
        job.restarted(1, 1, 137);
        job.pass(FailurePolicy.PLAIN.settle());
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
    }

    @Test
    void whereNobodyCanBeAskedThePodIsMadeAgain() {
        one.runs(failing(policy(Otherwise.POD, ON_42), workers(2, 1)));
        one.fail(1, 42);
        job.pass(SETTLE_AND_DELAY);
        assertThat(job.lastPods()).extracting(PlannedPod::incarnation).containsExactly(1, 3);
    }

    @Test
    void whereTheGangRestartsAllAreAskedForInTheirPods() {
        job.gangIsAskedFor();
        job.restarted(0, 1, 143);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RUNNING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
        job.pass(Duration.ofSeconds(1));
        assertThat(job.lastPods()).extracting(PlannedPod::inPlace).containsExactly(0, 5, 0);
        job.restarted(1, 1, 143);
        job.pass(PATIENCE.multipliedBy(2));
        assertThat(job.lastPods()).extracting(PlannedPod::incarnation).containsExactly(1, 2, 3);
        assertThat(job.lastPods()).isEmpty();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void whoWaitedAloneDoesNotWaitAnyLongerWhereAllStartAgain() {
        job.served = true;
        var spec = failing(policy(Otherwise.GANG, ON_42), workers(2, 1));
        var delay = Duration.ofMinutes(30);
        play.on(new Event.Submitted(a, ElasticJobs.evaluated(delay, spec), null));
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.see("eval", PodPhase.RUNNING, null);
        one.see("eval", PodPhase.FAILED, 137);
        job.pass(FailurePolicy.PLAIN.settle());
        assertThat(play.job(a).past().budgets().until()).isEqualTo(play.now().plus(delay));
        job.restarted(1, 1, 42);
        job.pass(FailurePolicy.PLAIN.settle());
        var due = one.rank(0).sight().due();
        assertThat(due).isEqualTo(play.now().plusSeconds(20));
        assertThat(play.job(a).past().budgets().until()).isEqualTo(due);
    }

    @Test
    void whoLeavesDoesNotStartAgain() {
        job.served = true;
        one.runs(failing(policy(Otherwise.GANG, ON_42), ElasticJobs.elastic("default", 1, 3, 3)));
        var terms = new Change.Terms(Duration.ZERO, true, Duration.ofMinutes(30), false);
        play.on(
                new Event.ChangeAsked(
                        a, new Change.ScaleIn("worker", 1, new TreeSet<>(), terms), null));
        one.fail(1, 42);
        job.pass(SETTLE_AND_DELAY);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RUNNING);
        play.takeEffects();
        one.see(2, PodPhase.SUCCEEDED, 0);
        assertThat(play.take(Effect.RankEnded.class))
                .extracting(Effect.RankEnded::reason)
                .containsExactly("ScaledIn");
    }

    @Test
    void whoWasAskedForAndStaysAfterAllIsAwaitedAsBefore() {
        isAskedForAndLeaves();
        one.see(1, PodPhase.RUNNING, null);
        play.restart();
        play.on(new Event.ChangeAsked(a, Change.Withdraw.ANY, null));
        one.see(1, PodPhase.RUNNING, null);
        assertThat(one.rank(1).isLeaving()).isFalse();
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        job.pass(Duration.ofSeconds(1));
        assertThat(job.lastPods()).extracting(PlannedPod::inPlace).containsExactly(0, 3);
        job.restarted(1, 1, 137);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RUNNING);
        job.pass(SETTLE_AND_DELAY);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void whoWasAskedForAndStartsAgainAsHeLeavesIsNotChargedWithIt() {
        isAskedForAndLeaves();
        job.restarted(1, 1, 137);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RUNNING);
        play.on(new Event.ChangeAsked(a, Change.Withdraw.ANY, null));
        job.pass(PATIENCE.multipliedBy(2));
        assertThat(one.rank(1).making().incarnation()).isEqualTo(2);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RUNNING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void whoWasAskedForAndStaysTooLateIsMadeAnew() {
        isAskedForAndLeaves();
        job.pass(PATIENCE.multipliedBy(2));
        assertThat(one.rank(1).making().incarnation()).isEqualTo(2);
        play.on(new Event.ChangeAsked(a, Change.Withdraw.ANY, null));
        play.restart();
        job.pass(Duration.ofSeconds(1));
        assertThat(one.rank(1).making().incarnation()).isGreaterThan(3);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void endOfWhoWasAskedForAndLeavesIsNobodysFailure() {
        isAskedForAndLeaves();
        play.on(new Event.RestartFailed(WATCHER, a, requested(), "no"));
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        play.takeEffects();
        one.see(1, PodPhase.FAILED, 137);
        assertThat(play.take(Effect.RankEnded.class))
                .extracting(Effect.RankEnded::reason)
                .containsExactly("ScaledIn");
        one.gone(1);
        job.pass(PATIENCE);
        assertThat(play.ranks(a)).hasSize(1);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    /** Of two workers the last is asked for, and then taken out, with half an hour to end. */
    private void isAskedForAndLeaves() {
        job.served = true;
        one.runs(failing(policy(Otherwise.POD, ON_42), ElasticJobs.elastic("default", 1, 2, 2)));
        one.see(1, PodPhase.RUNNING, 42);
        job.pass(SETTLE_AND_DELAY);
        assertThat(one.rank(1).is(InPlace.ASKED)).isTrue();
        one.applied(false);
        var terms = new Change.Terms(Duration.ZERO, true, Duration.ofMinutes(30), false);
        var shrink = new Change.ScaleIn("worker", 1, new TreeSet<>(), terms);
        play.on(new Event.ChangeAsked(a, shrink, null));
        assertThat(one.rank(1).isLeaving()).isTrue();
    }

    private Event.PodMark requested() {
        var mark = OneJob.mark(1);
        return new Event.PodMark(mark.rank(), 1, one.rank(1).making().inPlace(), 1, mark.podUid());
    }

    @Test
    void whereNobodyCanBeAskedTheGangIsMadeAnewAndNotPodByPod() {
        one.runs(failing(policy(Otherwise.GANG, ON_42), workers(2, 1)));
        one.fail(1, 42);
        job.pass(FailurePolicy.PLAIN.settle());
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void whoHasSucceededForOthersDoesNotStartAgainWithThem() {
        job.served = true;
        job.pass(Duration.ofSeconds(1));
        var spec =
                Fixtures.spec(
                        "default",
                        Fixtures.role("data", 1, 1),
                        Fixtures.after(
                                "data",
                                JobSpec.Milestone.SUCCEEDED,
                                Fixtures.role("worker", 2, 1)));
        play.on(new Event.Submitted(a, failing(policy(Otherwise.GANG, ON_42), spec), null));
        one.applied(false);
        one.see("data", PodPhase.SUCCEEDED, 0);
        job.pass(Duration.ofSeconds(1));
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.FAILED, 42);
        job.pass(SETTLE_AND_DELAY);
        assertThat(one.rank(0).is(InPlace.ASKED)).isTrue();
        assertThat(play.ranks(a).getFirst().state()).isEqualTo(RankState.SUCCEEDED);
    }

    @Test
    void poolSaysWhetherContainersCanBeStartedAgain() {
        play.on(new Event.PoolPut("default", PoolSpec.PLAIN, null));
        play.takeEffects();
        job.served = true;
        job.pass(Duration.ofSeconds(3));
        assertThat(play.take(Effect.PoolState.class))
                .extracting(Effect.PoolState::recreates)
                .containsExactly(true);
        job.served = false;
        job.pass(Duration.ofSeconds(3));
        assertThat(play.take(Effect.PoolState.class))
                .extracting(Effect.PoolState::recreates)
                .containsExactly(false);
    }

    @Test
    void cancelLeavesNothingToWaitFor() {
        job.gangIsAskedFor();
        play.on(Fixtures.cancel(a, "", null));
        for (int i = 0; i < 3; i++) {
            one.gone(i);
        }
        one.applied(false);
        one.applied(true);
        assertThat(play.takePhases(a)).contains(Phase.CANCELLED);
    }

    @Test
    void codesOfAPolicyAreThoseThatReachTheRule() {
        var early = new Rule(List.of(new ExitCodes(40, 42)), List.of(), null, new Action.Fail(""));
        var late =
                new Rule(
                        List.of(new ExitCodes(41, 44)),
                        List.of(),
                        "w",
                        new Action.RestartInPlace());
        var oom = new Rule(List.of(), List.of("OOMKilled"), null, new Action.RestartInPlace());
        var policy = policy(Otherwise.GANG, early, late, oom);
        assertThat(policy.codesInPlace("w")).containsExactly(43, 44, 137);
        assertThat(policy.codesInPlace("ps")).containsExactly(137);
        assertThat(FailurePolicy.PLAIN.codesInPlace("w")).isEmpty();
    }

    private static void isAsItWas(RunPlan plan) {
        assertThat(plan.pods()).extracting(PlannedPod::incarnation).containsExactly(1, 2);
        assertThat(plan.pods()).extracting(PlannedPod::inPlace).containsOnly(0);
    }
}
