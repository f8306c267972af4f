package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.failing;
import static dev.muster.coordinator.core.Fixtures.job;
import static dev.muster.coordinator.core.Fixtures.policy;
import static dev.muster.coordinator.core.Fixtures.workers;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.failures.InPlaceRestarts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.state.Effect;
import dev.muster.coordinator.core.state.Effect.PlannedPod;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ranks whose containers start again in their pods. */
class PoolInPlaceTest {
    private static final Rule ON_42 =
            new Rule(List.of(new ExitCodes(42, 42)), List.of(), null, new Action.RestartInPlace());
    private static final Duration SETTLE_AND_DELAY =
            FailurePolicy.PLAIN.settle().plus(FailurePolicy.PLAIN.delay().initial());
    private static final Duration PATIENCE = InPlaceRestarts.PATIENCE.plus(workers(1, 1).grace());

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private boolean served;

    @Test
    void whatTheKubeletRestartedIsANewIncarnationInItsPod() {
        one.runs(failing(policy(Otherwise.POD, ON_42), workers(2, 1)));
        restarted(1, 1, 42);
        pass(SETTLE_AND_DELAY);
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
        restarted(1, 2, 42);
        pass(SETTLE_AND_DELAY.multipliedBy(2));
        assertThat(one.rank(1).making().newest()).isEqualTo(4);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(2);
    }

    @Test
    void restartAfterItsEndWasSeenIsTheSame() {
        one.runs(failing(policy(Otherwise.POD, ON_42), workers(2, 1)));
        one.see(1, PodPhase.RUNNING, 42);
        assertThat(one.rank(1).state()).isEqualTo(RankState.FAILED);
        restarted(1, 1, 42);
        assertThat(one.rank(1).state()).isEqualTo(RankState.FAILED);
        pass(SETTLE_AND_DELAY);
        assertThat(play.take(RunPlan.class)).allSatisfy(PoolInPlaceTest::isAsItWas);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RUNNING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void restartThatNoRuleAskedForIsAFailureOfTheGang() {
        one.runs(failing(policy(Otherwise.GANG, ON_42), workers(2, 1)));
        restarted(1, 1, 137);
        pass(FailurePolicy.PLAIN.settle());
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
    }

    @Test
    void whereNobodyCanBeAskedThePodIsMadeAgain() {
        one.runs(failing(policy(Otherwise.POD, ON_42), workers(2, 1)));
        one.fail(1, 42);
        pass(SETTLE_AND_DELAY);
        assertThat(lastPods()).extracting(PlannedPod::incarnation).containsExactly(1, 3);
    }

    @Test
    void whereTheGangRestartsAllAreAskedForInTheirPods() {
        gangIsAskedFor();
        restarted(0, 1, 143);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RUNNING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
        pass(Duration.ofSeconds(1));
        assertThat(lastPods()).extracting(PlannedPod::inPlace).containsExactly(0, 5, 0);
        restarted(1, 1, 143);
        pass(PATIENCE.multipliedBy(2));
        assertThat(lastPods()).extracting(PlannedPod::incarnation).containsExactly(1, 2, 3);
        assertThat(lastPods()).isEmpty();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void whoLeavesDoesNotStartAgain() {
        served = true;
        one.runs(failing(policy(Otherwise.GANG, ON_42), ElasticJobs.elastic("default", 1, 3, 3)));
        var terms = new Change.Terms(Duration.ZERO, true, Duration.ofMinutes(30), false);
        play.on(
                new Event.ChangeAsked(
                        a, new Change.ScaleIn("worker", 1, new TreeSet<>(), terms), null));
        one.fail(1, 42);
        pass(SETTLE_AND_DELAY);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RUNNING);
        play.takeEffects();
        one.see(2, PodPhase.SUCCEEDED, 0);
        assertThat(play.take(Effect.RankEnded.class))
                .extracting(Effect.RankEnded::reason)
                .containsExactly("ScaledIn");
    }

    @Test
    void whatIsNotSeenInTimeHasFailedAndIsMadeAgain() {
        podIsAskedFor();
        pass(PATIENCE);
        var effects = play.takeEffects();
        assertThat(ends(effects)).containsExactly("RestartInPlaceFailed");
        assertThat(incarnations(effects)).containsExactly(1, 4);
    }

    @Test
    void whatIsGivenUpHasFailedAndIsMadeAgainAtOnce() {
        podIsAskedFor();
        givenUp(1, one.rank(1).sight().podUid(), 1, 3, "pod has gone");
        var effects = play.takeEffects();
        assertThat(effects)
                .filteredOn(Effect.RankEnded.class::isInstance)
                .extracting(effect -> ((Effect.RankEnded) effect).message())
                .containsExactly(
                        "worker-1 was to start again in its pod; that was given up: pod has gone");
        assertThat(incarnations(effects)).containsExactly(1, 4);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void whereAllStartAgainAndOneDoesNotTheGangIsMadeAnewForTheSameCharge() {
        gangIsAskedFor();
        restarted(1, 1, 143);
        pass(PATIENCE);
        assertThat(ends(play.takeEffects())).containsExactly("RestartInPlaceFailed");
        isMadeAnew("worker-0 was to start again in its pod; that was not seen in time");
    }

    @Test
    void whereAllStartAgainAndOneIsGivenUpTheGangIsMadeAnew() {
        gangIsAskedFor();
        givenUp(one.rank(0).sight().podUid(), 1, 4);
        isMadeAnew("worker-0 was to start again in its pod; that was given up: pod has gone");
    }

    @Test
    void whereNobodyCanBeAskedTheGangIsMadeAnewAndNotPodByPod() {
        one.runs(failing(policy(Otherwise.GANG, ON_42), workers(2, 1)));
        one.fail(1, 42);
        pass(FailurePolicy.PLAIN.settle());
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void whereNobodyCanBeAskedAnyMoreTheGangIsMadeAnew() {
        served = true;
        pass(Duration.ofSeconds(1));
        one.runs(failing(policy(Otherwise.GANG, ON_42), workers(2, 1)));
        one.fail(1, 42);
        pass(FailurePolicy.PLAIN.settle());
        assertThat(one.rank(0).is(Rank.InPlace.WANTED)).isTrue();
        served = false;
        pass(FailurePolicy.PLAIN.delay().initial());
        isMadeAnew("worker-0 was to start again in its pod; nobody can be asked for it");
    }

    @Test
    void whoHasSucceededForOthersDoesNotStartAgainWithThem() {
        served = true;
        pass(Duration.ofSeconds(1));
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
        pass(Duration.ofSeconds(1));
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.FAILED, 42);
        pass(SETTLE_AND_DELAY);
        assertThat(one.rank(0).is(Rank.InPlace.ASKED)).isTrue();
        assertThat(play.ranks(a).getFirst().state()).isEqualTo(RankState.SUCCEEDED);
    }

    @Test
    void whyItWasGivenUpNeedNotBeTold() {
        gangIsAskedFor();
        givenUp(one.rank(0).sight().podUid(), 1, 4, "");
        assertThat(play.take(Effect.RankEnded.class))
                .extracting(Effect.RankEnded::message)
                .containsExactly("worker-0 was to start again in its pod; that was given up");
    }

    @Test
    void whatElseIsGivenUpChangesNothing() {
        gangIsAskedFor();
        var pod = one.rank(0).sight().podUid();
        givenUp(pod, 1, 3);
        givenUp(pod, 1, 5);
        givenUp(pod, 0, 4);
        givenUp("another", 1, 4);
        assertThat(play.takeEffects()).isEmpty();
        assertThat(one.rank(0).is(Rank.InPlace.ASKED)).isTrue();
    }

    @Test
    void whoWasSeenStartedAgainHasNotFailedWhateverIsGivenUp() {
        gangIsAskedFor();
        restarted(0, 1, 143);
        play.takeEffects();
        givenUp(one.rank(0).sight().podUid(), 1, 4);
        assertThat(play.takeEffects()).isEmpty();
        assertThat(one.rank(0).state()).isEqualTo(RankState.RUNNING);
    }

    @Test
    void newsThatOneWasGivenUpIsHeardOnce() {
        gangIsAskedFor();
        var pod = one.rank(0).sight().podUid();
        givenUp(pod, 1, 4);
        pass(Duration.ofSeconds(1));
        play.takeEffects();
        givenUp(pod, 1, 4);
        assertThat(play.takeEffects()).isEmpty();
    }

    @Test
    void poolSaysWhetherContainersCanBeStartedAgain() {
        play.on(new Event.PoolPut("default", PoolSpec.PLAIN, null));
        play.takeEffects();
        served = true;
        pass(Duration.ofSeconds(3));
        assertThat(play.take(Effect.PoolState.class))
                .extracting(Effect.PoolState::recreates)
                .containsExactly(true);
        served = false;
        pass(Duration.ofSeconds(3));
        assertThat(play.take(Effect.PoolState.class))
                .extracting(Effect.PoolState::recreates)
                .containsExactly(false);
    }

    @Test
    void endOfTheOldContainerIsNoSuccess() {
        gangIsAskedFor();
        one.see(0, PodPhase.RUNNING, 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.ORDERED);
        one.see(0, PodPhase.SUCCEEDED, 0);
        assertThat(one.rank(0).sight().released()).isFalse();
        isMadeAnew("worker-0 was to start again in its pod; its pod ended instead");
    }

    @Test
    void cancelLeavesNothingToWaitFor() {
        gangIsAskedFor();
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

    /**
     * Of three ranks the last failed and was restarted by the kubelet; the others are asked for.
     */
    private void gangIsAskedFor() {
        served = true;
        one.runs(failing(policy(Otherwise.GANG, ON_42), workers(3, 1)));
        restarted(2, 1, 42);
        pass(SETTLE_AND_DELAY);
        var pods = lastPods();
        assertThat(pods).extracting(PlannedPod::incarnation).containsExactly(1, 2, 3);
        assertThat(pods).extracting(PlannedPod::inPlace).containsExactly(4, 5, 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RUNNING);
        assertThat(one.rank(0).state()).isEqualTo(RankState.ORDERED);
        one.applied(false);
    }

    /** Of two ranks the last failed, and is asked for. */
    private void podIsAskedFor() {
        served = true;
        one.runs(failing(policy(Otherwise.POD, ON_42), workers(2, 1)));
        one.see(1, PodPhase.RUNNING, 42);
        pass(SETTLE_AND_DELAY);
        assertThat(lastPods()).extracting(PlannedPod::inPlace).containsExactly(0, 3);
        one.applied(false);
    }

    private void isMadeAnew(String message) {
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        var restarting = (JobState.Restarting) play.job(a).state();
        assertThat(restarting.message()).isEqualTo(message);
        assertThat(restarting.reason()).isEqualTo("RestartInPlaceFailed");
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    private static List<String> ends(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.RankEnded.class::isInstance)
                .map(effect -> ((Effect.RankEnded) effect).reason())
                .toList();
    }

    /** Of the newest plan. */
    private static List<Integer> incarnations(List<Effect> effects) {
        var plans = effects.stream().filter(RunPlan.class::isInstance).toList();
        return ((RunPlan) plans.getLast()).pods().stream().map(PlannedPod::incarnation).toList();
    }

    private static void isAsItWas(RunPlan plan) {
        assertThat(plan.pods()).extracting(PlannedPod::incarnation).containsExactly(1, 2);
        assertThat(plan.pods()).extracting(PlannedPod::inPlace).containsOnly(0);
    }

    private List<PlannedPod> lastPods() {
        var plans = play.take(RunPlan.class);
        return plans.isEmpty() ? List.of() : plans.getLast().pods();
    }

    /** Of rank 0. */
    private void givenUp(@Nullable String podUid, int attempt, int incarnation) {
        givenUp(podUid, attempt, incarnation, "pod has gone");
    }

    private void givenUp(@Nullable String podUid, int attempt, int incarnation, String message) {
        givenUp(0, podUid, attempt, incarnation, message);
    }

    private void givenUp(
            int index, @Nullable String podUid, int attempt, int incarnation, String message) {
        var rank = new RankId("worker", index);
        var mark = new Event.PodMark(rank, attempt, incarnation, 1, requireNonNull(podUid));
        play.on(new Event.RestartFailed(WATCHER, a, mark, message));
    }

    private void restarted(int index, int count, @Nullable Integer exitCode) {
        var end = exitCode == null ? null : new Event.ContainerEnd(exitCode, "Error", "");
        var node = one.rank(index).making().node();
        var pod = Fixtures.pod(OneJob.mark(index), one.nextVersion(), PodPhase.RUNNING, node, null);
        play.on(
                new Event.PodSeen(
                        WATCHER, a, Fixtures.again(pod, new Event.EarlierRuns(count, end))));
    }

    /** In which all witnesses are heard of. */
    private void pass(Duration time) {
        var step = Duration.ofSeconds(1);
        for (var left = time; left.isPositive(); left = left.minus(step)) {
            play.on(new Event.WatcherAlive(WATCHER));
            play.on(new Event.PodManagerAlive("pods-0", Set.of(0), Set.of(), served));
            play.pass(step);
        }
    }
}
