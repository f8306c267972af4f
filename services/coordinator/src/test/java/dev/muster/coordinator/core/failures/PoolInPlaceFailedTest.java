package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.InPlaceJob.ON_42;
import static dev.muster.coordinator.core.fixtures.InPlaceJob.PATIENCE;
import static dev.muster.coordinator.core.fixtures.InPlaceJob.SETTLE_AND_DELAY;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.InPlaceJob;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Checkpoint;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers that were to start again in their pods, and did not. */
class PoolInPlaceFailedTest {
    private final InPlaceJob job = new InPlaceJob();
    private final Play play = job.play;
    private final JobId a = job.id;
    private final OneJob one = job.one;

    @Test
    void whatIsNotSeenInTimeHasFailedAndIsMadeAgain() {
        job.podIsAskedFor();
        job.pass(PATIENCE);
        var effects = play.takeEffects();
        assertThat(ends(effects)).containsExactly("RestartInPlaceFailed");
        assertThat(incarnations(effects)).containsExactly(1, 4);
    }

    @Test
    void whatIsGivenUpHasFailedAndIsMadeAgainAtOnce() {
        job.podIsAskedFor();
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
        job.gangIsAskedFor();
        job.restarted(1, 1, 143);
        job.pass(PATIENCE);
        assertThat(ends(play.takeEffects())).containsExactly("RestartInPlaceFailed");
        isMadeAnew("worker-0 was to start again in its pod; that was not seen in time");
    }

    @Test
    void whereAllStartAgainAndOneIsGivenUpTheGangIsMadeAnew() {
        job.gangIsAskedFor();
        givenUp(one.rank(0).sight().podUid(), 1, 4);
        isMadeAnew("worker-0 was to start again in its pod; that was given up: pod has gone");
    }

    @Test
    void whereNobodyCanBeAskedAnyMoreTheGangIsMadeAnew() {
        job.served = true;
        job.pass(Duration.ofSeconds(1));
        one.runs(failing(policy(Otherwise.GANG, ON_42), workers(2, 1)));
        one.fail(1, 42);
        job.pass(FailurePolicy.PLAIN.settle());
        assertThat(one.rank(0).is(InPlace.WANTED)).isTrue();
        job.served = false;
        job.pass(FailurePolicy.PLAIN.delay().initial());
        isMadeAnew("worker-0 was to start again in its pod; nobody can be asked for it");
    }

    @Test
    void whyItWasGivenUpNeedNotBeTold() {
        job.gangIsAskedFor();
        givenUp(one.rank(0).sight().podUid(), 1, 4, "");
        assertThat(play.take(Effect.RankEnded.class))
                .extracting(Effect.RankEnded::message)
                .containsExactly("worker-0 was to start again in its pod; that was given up");
    }

    @Test
    void whatElseIsGivenUpChangesNothing() {
        job.gangIsAskedFor();
        var pod = one.rank(0).sight().podUid();
        givenUp(pod, 1, 3);
        givenUp(pod, 1, 5);
        givenUp(pod, 0, 4);
        givenUp("another", 1, 4);
        assertThat(play.takeEffects()).isEmpty();
        assertThat(one.rank(0).is(InPlace.ASKED)).isTrue();
    }

    @Test
    void whoWasSeenStartedAgainHasNotFailedWhateverIsGivenUp() {
        job.gangIsAskedFor();
        job.restarted(0, 1, 143);
        play.takeEffects();
        givenUp(one.rank(0).sight().podUid(), 1, 4);
        assertThat(play.takeEffects()).isEmpty();
        assertThat(one.rank(0).state()).isEqualTo(RankState.RUNNING);
    }

    @Test
    void newsThatOneWasGivenUpIsHeardOnce() {
        job.gangIsAskedFor();
        var pod = one.rank(0).sight().podUid();
        givenUp(pod, 1, 4);
        job.pass(Duration.ofSeconds(1));
        play.takeEffects();
        givenUp(pod, 1, 4);
        assertThat(play.takeEffects()).isEmpty();
    }

    @Test
    void endOfTheOldContainerIsNoSuccess() {
        job.gangIsAskedFor();
        one.see(0, PodPhase.RUNNING, 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.ORDERED);
        one.see(0, PodPhase.SUCCEEDED, 0);
        assertThat(one.rank(0).sight().released()).isFalse();
        isMadeAnew("worker-0 was to start again in its pod; its pod ended instead");
    }

    @Test
    void whoIsAwaitedWhileItsJobSavesIsMadeAgainAllTheSameOnceItsNodeStays() {
        var node = savesWhileOneIsAskedFor();
        job.pass(Duration.ofSeconds(10));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 4)));
        job.pass(Duration.ofSeconds(1));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.takeEffects();

        job.pass(PATIENCE.plusSeconds(1));

        var effects = play.takeEffects();
        assertThat(ends(effects)).containsExactly("RestartInPlaceFailed");
        assertThat(incarnations(effects)).containsExactly(1, 2, 5);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    /** As any rank that fails meanwhile ends the wait. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoIsNotSeenToStartAgainEndsTheWaitOfAJobThatSaves(boolean isSuspended) {
        savesWhileOneIsAskedFor();
        if (isSuspended) {
            play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        }
        play.restart();
        job.pass(Duration.ofSeconds(2)); // All pods are told that they are asked.
        play.takeEffects();
        job.pass(PATIENCE.minusSeconds(1));
        var effects = play.takeEffects();
        assertThat(ends(effects)).containsExactly("RestartInPlaceFailed");
        new Asking(play, a).endedAs(Checkpoint.Stage.WITHDRAWN);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        assertThat(effects).noneMatch(RunPlan.class::isInstance);
    }

    /** The node that it is to leave. */
    private String savesWhileOneIsAskedFor() {
        job.served = true;
        var spare = Fixtures.atLeast(2, Fixtures.role("worker", 3, 1));
        one.runs(byFile(failing(policy(Otherwise.POD, ON_42), Fixtures.spec("default", spare))));
        one.see(2, PodPhase.RUNNING, 42);
        job.pass(SETTLE_AND_DELAY);
        assertThat(one.rank(2).is(InPlace.ASKED)).isTrue();
        var node = one.rank(0).making().node();
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(node, 4)));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        return node;
    }

    /** Nobody comes any more once one has succeeded. */
    @Test
    void whoIsAwaitedHasLeftOnceAnotherOfItsElasticRoleHasSucceeded() {
        runsElastic();
        one.see(2, PodPhase.RUNNING, 42);
        job.pass(SETTLE_AND_DELAY);
        assertThat(one.rank(2).is(InPlace.ASKED)).isTrue();
        one.succeed(0);
        assertThat(one.rank(2).isLeaving()).isTrue();
        play.takeEffects();
        job.pass(PATIENCE.plusSeconds(1));
        assertThat(ends(play.takeEffects())).isEmpty();
        one.succeed(1);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUCCEEDED);
    }

    /** Nor does who was to leave before that, and would be made again alone. */
    @Test
    void whoWasToLeaveBeforeThatDoesNotComeBack() {
        runsElastic();
        one.see(2, PodPhase.RUNNING, 42);
        job.pass(SETTLE_AND_DELAY);
        var terms = new Change.Terms(Duration.ZERO, true, Duration.ofMinutes(30), false);
        var fewer = new Change.ScaleIn("worker", 1, new TreeSet<>(), terms);
        play.on(new Event.ChangeAsked(a, fewer, null));
        one.succeed(0);
        play.on(new Event.ChangeAsked(a, Change.Withdraw.ANY, null));
        job.pass(Duration.ofSeconds(1));
        play.takeEffects();
        job.pass(PATIENCE.plusSeconds(1));
        assertThat(ends(play.takeEffects())).isEmpty();
        assertThat(one.rank(2).isLeaving()).isTrue();
        one.succeed(1);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUCCEEDED);
    }

    /** Nor is anybody asked then: the gang starts again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoIsToStartAgainInItsPodThenDoesSoWithItsGang(boolean byKubelet) {
        runsElastic();
        one.succeed(0);
        if (byKubelet) {
            job.restarted(2, 1, 42);
        } else {
            one.see(2, PodPhase.RUNNING, 42);
        }
        job.pass(SETTLE_AND_DELAY);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        one.succeed(1);
        job.pass(Duration.ofSeconds(6));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
    }

    private void runsElastic() {
        job.served = true;
        var spec = ElasticJobs.elastic("default", 2, 3, 4);
        one.runs(failing(policy(Otherwise.POD, ON_42), spec));
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
}
