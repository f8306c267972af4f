package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks that are started again alone: by the kubelet in their pods, or beside a dead node. */
class PoolRanksTest {
    private static final Duration AFTER = FailurePolicy.PLAIN.nodeLost().after();

    private final Play play = Play.withNodes(4, 4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void whoseRoomWasGivenBackHasEndedWhateverIsSeenLater() {
        one.runs(pair());
        one.succeed(1);
        one.see(1, PodPhase.RUNNING, null);
        assertThat(one.rank(1).sight().released()).isTrue();
        assertThat(one.rank(1).sight().over()).isTrue();
    }

    private static JobSpec pair(FailurePolicy.Rule... rules) {
        return failing(policy(Otherwise.GANG, rules), workers(2, 4));
    }

    private void restarted(int index, int count, int exitCode) {
        restarted(index, count, exitCode, PodPhase.RUNNING);
    }

    private void restarted(int index, int count, int exitCode, PodPhase phase) {
        var rank = one.rank(index);
        var pod = Fixtures.pod(OneJob.mark(index), one.nextVersion(), phase, rank.making().node());
        var last = new Event.ContainerEnd(exitCode, "Error", "");
        play.on(
                new Event.PodSeen(
                        WATCHER, a, Fixtures.again(pod, new Event.EarlierRuns(count, last))));
    }

    private void settle() {
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
    }

    private int charged() {
        return play.job(a).past().budgets().own();
    }

    @Test
    void restartsBeforeItEverRanAreChargedAndComeToAnEnd() {
        play.on(new Event.Submitted(a, pair(), null));
        one.applied(false);
        for (int count = 1; count <= 3; count++) {
            restarted(0, count, 1, PodPhase.PENDING);
            settle();
            assertThat(charged()).isEqualTo(count);
        }
        restarted(0, 4, 1, PodPhase.PENDING);
        settle();
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    void eachRestartByTheKubeletIsChargedOnce() {
        one.runs(pair());
        restarted(0, 1, 1);
        settle();
        assertThat(charged()).isEqualTo(1);
        restarted(0, 1, 1);
        settle();
        assertThat(charged()).isEqualTo(1);
        play.restart();
        restarted(0, 3, 1);
        settle();
        assertThat(charged()).isEqualTo(3);
        assertThat(play.take(Effect.Moved.class)).isEmpty();
    }

    @Test
    void crashLoopInAPodEndsTheJob() {
        one.runs(pair());
        restarted(0, 2, 7);
        restarted(1, 4, 7);
        settle();
        var end = play.takeOne(Effect.Moved.class);
        assertThat(end.to()).isEqualTo(Phase.FAILED);
        assertThat(end.reason()).isEqualTo("BackoffLimitExceeded");
        assertThat(end.message())
                .isEqualTo(
                        "backoffLimit 3 within 24h is used up; the last failure: worker-1 exited"
                                + " with 7 and was started again in its pod");
        assertThat(charged()).isEqualTo(3);
    }

    @Test
    void ruleSaysWhatElseIsDoneAboutWhatTheKubeletRestarted() {
        one.runs(pair(rule(1, new Action.Ignore()), rule(2, new Action.Fail("bad settings"))));
        restarted(0, 1, 1);
        assertThat(charged()).isZero();
        restarted(0, 2, 2);
        assertThat(play.takeOne(Effect.Moved.class).message())
                .isEqualTo(
                        "bad settings (worker-0 exited with 2 and was started again in its pod)");
    }

    @Test
    void ruleMayRestartTheGangThoughTheKubeletRestartedThePod() {
        one.runs(pair(rule(1, new Action.RestartGang())));
        restarted(0, 1, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(charged()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource
    void criticalIndexThatTheKubeletRestartedIsTheGangsLoss(FailurePolicy policy) {
        var role = workers(2, 4).roles().getFirst();
        var critical = Fixtures.caring(new JobSpec.Care(null, new TreeSet<>(List.of(1))), role);
        one.runs(failing(policy, Fixtures.spec("default", critical)));
        restarted(1, 1, 137);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(charged()).isEqualTo(1);
    }

    static Stream<FailurePolicy> criticalIndexThatTheKubeletRestartedIsTheGangsLoss() {
        return Stream.of(
                policy(Otherwise.GANG),
                policy(Otherwise.POD),
                policy(Otherwise.POD, rule(137, new Action.Ignore())),
                policy(Otherwise.POD, rule(137, new Action.RestartInPlace())));
    }

    private static FailurePolicy.Rule rule(int code, Action action) {
        var codes = List.of(new FailurePolicy.ExitCodes(code, code));
        return new FailurePolicy.Rule(codes, List.of(), null, action);
    }

    private int loseOne(boolean force) {
        var losing = Fixtures.losing(AFTER, force, policy(Otherwise.POD));
        one.runs(failing(losing, workers(2, 4)));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(1).making().node(), 4)));
        play.passHeard(AFTER, 0);
        play.takeEffects();
        play.passHeard(Duration.ofMinutes(1), 0);
        return one.rank(1).making().incarnation();
    }

    @Test
    void failedRankOfAGangThatRunsIsFirstWhenRoomComes() {
        one.runs(failing(policy(Otherwise.POD), workers(2, 4)));
        var b = job("b", 2);
        var c = job("c", 3);
        play.on(new Event.Submitted(b, workers(1, 4), null));
        play.on(new Event.Submitted(c, workers(1, 4), null));
        play.on(new Event.NodeReleased(WATCHER, one.rank(1).making().node()));
        one.gone(1);
        play.passHeard(Duration.ofMinutes(2), 0);
        play.takeEffects();

        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-3", 4)));
        assertThat(one.rank(1).making().node()).isEqualTo("node-3");
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(a);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-4", 4)));
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(c);
    }

    @Test
    void singlePodOfADeadNodeIsForcedWhereThePolicySaysSo() {
        assertThat(loseOne(true)).isEqualTo(3);
        var pods = play.take(RunPlan.class).getLast().pods();
        assertThat(pods).extracting(PlannedPod::forces).containsExactly(false, true);
        assertThat(pods.getLast().node()).isNotEqualTo(pods.getFirst().node()).isEqualTo("node-2");
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void elseItWaitsForTheNodeOrForSomebodysWord() {
        assertThat(loseOne(false)).isEqualTo(2);
        assertThat(play.take(RunPlan.class))
                .flatExtracting(RunPlan::pods)
                .noneMatch(PlannedPod::forces);
        var request = new Event.Request("ml/a", "r-1");
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), request));
        play.pass(Duration.ofMillis(1));
        var effects = play.takeEffects();
        assertThat(effects)
                .filteredOn(Effect.Answer.class::isInstance)
                .extracting(effect -> ((Effect.Answer) effect).outcome())
                .containsExactly(Outcome.ACCEPTED);
        assertThat(effects)
                .filteredOn(RunPlan.class::isInstance)
                .last()
                .satisfies(plan ->
                        assertThat(((RunPlan) plan).pods())
                                .extracting(PlannedPod::forces)
                                .containsExactly(false, true));
    }

    @Test
    void nodeThatComesBackIsNotForced() {
        loseOne(false);
        var node = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 4)));
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(play.take(RunPlan.class).getLast().pods())
                .extracting(PlannedPod::forces, PlannedPod::node)
                .contains(tuple(false, node));
    }

    private void listed(Event.ListedPod... pods) {
        play.on(new Event.PlanApplied(a, play.job(a).fences().plan(), false, List.of(pods)));
    }

    @Test
    void whatWasMadeAndDeletedWhileNobodyWatchedIsAskedForAgain() {
        play.on(new Event.Submitted(a, workers(1, 1), null));
        var pod = new Event.ListedPod(a.uid(), OneJob.mark(0), false);
        listed(pod);
        play.on(Fixtures.cancel(a, "", null));
        listed(pod);
        play.takeEffects();
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        assertThat(play.takeOne(StopPlan.class).stop().confirm()).isFalse();
        listed();
        var confirming = play.takeOne(StopPlan.class).stop();
        assertThat(confirming.confirm()).isTrue();
        assertThat(confirming.grace()).isEqualTo(Duration.ofSeconds(2));
        one.applied(true);
        assertThat(play.takePhases(a)).containsExactly(Phase.CANCELLED);
    }

    @Test
    void wantedPodThatNoSnapshotShowsIsOrderedAgain() {
        play.on(new Event.Submitted(a, workers(1, 1), null));
        listed(new Event.ListedPod(a.uid(), OneJob.mark(0), false));
        play.takeEffects();
        play.on(new Event.SnapshotBegin(WATCHER, "second"));
        play.on(new Event.SnapshotEnd(WATCHER, "second"));
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        assertThat(play.takeOne(RunPlan.class).pods()).hasSize(1);
    }

    /** What is to be repaired is found out anew by the list of the plan that is under way. */
    @Test
    void graceOfAPlanThatIsUnderWayIsNotTakenBack() {
        play.on(new Event.Submitted(a, workers(1, 1), null));
        var pod = new Event.ListedPod(a.uid(), OneJob.mark(0), false);
        listed(pod);
        play.on(new Event.SnapshotBegin(WATCHER, "second"));
        play.on(new Event.SnapshotEnd(WATCHER, "second"));
        play.takeEffects();
        var grace = Duration.ofSeconds(120);
        play.on(new Event.ChangeAsked(a, new Change.Suspend(grace, "later"), null));
        assertThat(play.takeOne(StopPlan.class).stop().grace()).isEqualTo(grace);
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        assertThat(play.take(StopPlan.class)).isEmpty();
        listed(pod);
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        assertThat(play.takeOne(StopPlan.class).stop().sooner()).isFalse();
    }
}
