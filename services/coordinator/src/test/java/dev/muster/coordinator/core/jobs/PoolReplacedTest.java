package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.rule;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Planned;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ListedPod;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that were deleted and made again under the same making while nobody told. */
class PoolReplacedTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anotherPodInTheSteadOfOneThatRanIsALostRank(boolean isListed) {
        one.runs(workers(2, 1));
        if (isListed) {
            listed(OneJob.mark(0), another(1));
        } else {
            play.on(new Event.SnapshotBegin(WATCHER, "second"));
            see(another(1), PodPhase.RUNNING, null);
        }
        var moved = play.takeOne(Effect.Moved.class);
        assertThat(moved.to()).isEqualTo(Phase.RESTARTING);
        assertThat(moved.reason()).isEqualTo("PodLost");
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    /** By an order of before the end: it goes soon, and is there until then. */
    @Test
    void whatIsMadeAgainOfAJobThatHasEndedHasItsRoomUntilItIsGone() {
        one.runs(failing(Fixtures.NO_RESTARTS, workers(2, 1)));
        one.fail(0, 1);
        one.gone(1);
        assertThat(one.rank(1).sight().released()).isTrue();
        see(another(1), PodPhase.PENDING, null);
        assertThat(one.rank(1).sight().released()).isFalse();
        play.restart();
        play.on(new Event.PodGone(WATCHER, a, another(1)));
        assertThat(one.rank(1).sight().released()).isTrue();
    }

    @Test
    void listAndWatcherTellOfOneLoss() {
        one.runs(failing(policy(Otherwise.POD), workers(2, 1)));
        listed(OneJob.mark(0), another(1));
        see(another(1), PodPhase.RUNNING, null);
        see(OneJob.mark(1), PodPhase.FAILED, 1);
        one.gone(1);
        listed(OneJob.mark(0), another(1));
        play.restart();
        play.passHeard(policy(Otherwise.POD).settle(), 0);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        assertThat(play.job(a).past().budgets().own()).isZero();
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        play.takeEffects();
        play.passHeard(policy(Otherwise.POD).delay().after(0), 0);
        assertThat(play.take(RunPlan.class).getLast().pods())
                .extracting(Effect.PlannedPod::incarnation)
                .containsExactly(1, 3);
    }

    /** Of a rank that is over nothing may run, whoever made it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasMadeInTheSteadOfAnEndIsNotLeft(boolean isIgnored) {
        one.runs(failing(policy(Otherwise.POD, rule(new Action.Ignore())), workers(2, 1)));
        if (!isIgnored) {
            one.succeed(1);
        }
        listed(OneJob.mark(0), another(1));
        see(another(1), PodPhase.RUNNING, null);
        play.passHeard(policy(Otherwise.POD).settle(), 0);
        assertThat(one.rank(1).state())
                .isEqualTo(isIgnored ? RankState.IGNORED : RankState.SUCCEEDED);
        assertThat(Planned.pods(play.take(RunPlan.class).getLast())).containsExactly("worker-0");
    }

    @Test
    void podThatWasNeverShownIsNoLossWhoeverShowsItFirst() {
        play.on(new Event.Submitted(a, workers(2, 1), null));
        listed(OneJob.mark(0), OneJob.mark(1));
        play.on(new Event.SnapshotBegin(WATCHER, "second"));
        see(OneJob.mark(0), PodPhase.RUNNING, null);
        see(another(1), PodPhase.RUNNING, null);
        play.on(new Event.SnapshotEnd(WATCHER, "second"));
        listed(OneJob.mark(0), another(1));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().budgets().all()).isZero();
    }

    @Test
    void whatAnOlderPlanHadMadeIsNoLoss() {
        one.runs(failing(policy(Otherwise.POD), workers(2, 1)));
        listed(OneJob.mark(0), new PodMark(new RankId("worker", 1), 1, 1, 1, "older"));
        assertThat(one.rank(1).state()).isEqualTo(RankState.RUNNING);
    }

    /** It goes anyway: whatever is there of it is waited for. */
    @Test
    void jobThatStopsWaitsForThePodThatIsThere() {
        one.runs(workers(1, 1));
        play.on(Fixtures.cancel(a, "", null));
        see(another(0), PodPhase.RUNNING, null);
        one.gone(0);
        one.applied(false);
        play.takeEffects();
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        assertThat(play.take(StopPlan.class)).noneMatch(plan -> plan.stop().confirm());
        play.on(new Event.PodGone(WATCHER, a, another(0)));
        assertThat(play.takeOne(StopPlan.class).stop().confirm()).isTrue();
        assertThat(play.job(a).past().budgets().all()).isZero();
    }

    private void listed(PodMark... marks) {
        var pods =
                List.of(marks).stream().map(mark -> new ListedPod(a.uid(), mark, false)).toList();
        play.on(new Event.PlanApplied(a, play.job(a).fences().plan(), false, pods));
    }

    private void see(PodMark mark, PodPhase phase, @Nullable Integer exitCode) {
        var node = one.rank(mark.rank().index()).making().node();
        var pod = Fixtures.pod(mark, one.nextVersion(), phase, node, exitCode);
        play.on(new Event.PodSeen(WATCHER, a, pod));
    }

    /** The same making, and not the same pod. */
    private static PodMark another(int index) {
        var mark = OneJob.mark(index);
        return new PodMark(mark.rank(), mark.attempt(), mark.incarnation(), 1, "another-" + index);
    }
}
