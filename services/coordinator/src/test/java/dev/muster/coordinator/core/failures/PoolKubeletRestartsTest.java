package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Restart;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a gang the kubelet starts again together is one incident. */
class PoolKubeletRestartsTest {
    private static final int PODS = 8;

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void gangThatFellTogetherIsChargedOnce() {
        runs();
        restarted(3, 1, 139);
        for (int i = 0; i < PODS; i++) {
            if (i != 3) {
                restarted(i, 1, 1);
            }
        }
        assertThat(charged()).isZero();
        play.restart();
        at(10);
        assertThat(charged()).isEqualTo(1);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
    }

    @Test
    void secondRestartOfTheSameIsAnotherIncident() {
        runs();
        restarted(0, 1, 1);
        restarted(1, 2, 1);
        at(4);
        restarted(0, 2, 1);
        at(10);
        assertThat(charged()).isEqualTo(2);
        restarted(0, 3, 1);
        restarted(2, 1, 1);
        at(20);
        assertThat(charged()).isEqualTo(3);
        restarted(2, 2, 1);
        at(30);
        assertThat(play.takeOne(Effect.Moved.class).reason()).isEqualTo("BackoffLimitExceeded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Unknown", "ContainerStatusUnknown"})
    void nodeThatStartsAnewIsTheClustersFault(String reason) {
        runs();
        restarted(0, 1, 1, "Error");
        restarted(4, 1, 255, reason);
        restarted(5, 1, 255, reason);
        at(10);
        assertThat(charged()).isZero();
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    @Test
    void nodeThatIsNotHeardOfByThenIsTheClustersFaultOnceForAllIncidents() {
        runs();
        restarted(0, 1, 1);
        at(9);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4).silent(true)));
        at(10);
        assertThat(play.job(a).past().budgets().all()).isZero();
        restarted(0, 2, 1);
        play.restart();
        at(60);
        assertThat(charged()).isZero();
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    @Test
    void whatStartsAgainOnANodeThatIsNotReadyYetIsTheClustersFault() {
        runs();
        var node = one.rank(0).making().node();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 4)));
        at(5);
        restarted(0, 1, 137);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 4)));
        at(15);
        assertThat(charged()).isZero();
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    @Test
    void whatFailsMeanwhileIsTheSameIncident() {
        var rule = new Rule(List.of(), List.of("Evicted"), null, new Action.RestartPod());
        one.runs(failing(policy(Otherwise.POD, rule), workers(PODS, 1)));
        restarted(1, 1, 143);
        at(5);
        one.see(0, PodPhase.FAILED, 137);
        at(10);
        assertThat(charged()).isZero();
        at(40);
        assertThat(charged()).isEqualTo(1);
        assertThat(play.takePhases(a)).isEmpty();
    }

    @Test
    void strongestCauseOfAllIsChargedWithTheGangsRestart() {
        runs();
        restarted(1, 1, 255, "Unknown");
        one.fail(0, 1);
        at(10);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(charged()).isZero();
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    /** Between two runs the container is shown ended while its pod runs. */
    @Test
    void whoseKubeletStartsItAgainHasNotFailedWhenItsContainerEnds() {
        one.runs(failing(policy(Otherwise.GANG), restarting(Restart.ON_FAILURE)));
        one.see(0, PodPhase.RUNNING, 7);
        at(15);
        assertThat(play.takePhases(a)).isEmpty();
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        assertThat(play.job(a).past().budgets().all()).isZero();
        play.restart();
        restarted(0, 1, 7);
        at(30);
        assertThat(play.takePhases(a)).isEmpty();
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void whoseKubeletLeavesItAloneHasFailedThen() {
        one.runs(failing(policy(Otherwise.GANG), restarting(Restart.NEVER)));
        one.see(0, PodPhase.RUNNING, 7);
        at(15);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void whoseKubeletStartsItAgainIsDoneWhenItsContainerEndsWell() {
        one.runs(failing(policy(Otherwise.GANG), restarting(Restart.ON_FAILURE)));
        one.see(0, PodPhase.RUNNING, 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.SUCCEEDED);
    }

    private static JobSpec restarting(Restart restart) {
        return Respec.roles(workers(PODS, 1), role -> Respec.restarting(role, restart));
    }

    /** Else whoever is suspended in time would never be charged. */
    @Test
    void whatGatheredWhenAGangWasSuspendedIsChargedThen() {
        runs();
        restarted(0, 1, 1);
        restarted(1, 1, 1);
        restarted(1, 2, 1);
        at(5);
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        assertThat(charged()).isEqualTo(2);
        play.restart();
        at(30);
        assertThat(charged()).isEqualTo(2);
        assertThat(play.job(a).past().budgets().open()).isNull();
    }

    @Test
    void itDoesNotEndAJobThatIsSuspended() {
        runs();
        restarted(0, 9, 1);
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        assertThat(charged()).isEqualTo(3);
    }

    /** Nor while it saves before it is. */
    @ParameterizedTest
    @ValueSource(ints = {9, 20})
    void norDoesItEndOneThatSavesBeforeItIsSuspended(int times) {
        one.runs(failing(policy(Otherwise.GANG), CheckpointJobs.byFile(workers(PODS, 1))));
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        restarted(0, times, 1);
        at(15);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        assertThat(charged()).isEqualTo(3);
        play.restart();
        at(130);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        assertThat(charged()).isEqualTo(3);
    }

    @Test
    void whatGatheredOfAGangThatStartsAnewIsChargedWithItsRestart() {
        runs();
        restarted(1, 1, 1);
        restarted(1, 2, 1);
        one.fail(0, 137);
        at(10);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(charged()).isEqualTo(2);
        assertThat(play.job(a).past().budgets().until()).isEqualTo(play.now().plusSeconds(10));
    }

    /** The notice may be withdrawn, and come again, as often as it likes. */
    @Test
    void whatGatheredWhenAGangBeganToSaveIsChargedAllTheSame() {
        one.runs(failing(policy(Otherwise.GANG), CheckpointJobs.byFile(workers(PODS, 1))));
        restarted(0, 1, 1);
        var node = one.rank(0).making().node();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 8)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(node, 4)));
        at(5);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        play.restart();
        restarted(1, 1, 1);
        at(10);
        assertThat(charged()).isEqualTo(1);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 4)));
        at(30);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(charged()).isEqualTo(1);
    }

    /** Other ranks may have been started again, or a node may have died. */
    @Test
    void itIsNotChargedWhileAWitnessIsNotHeardOf() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        runs();
        play.pass(Duration.ofSeconds(8));
        restarted(0, 1, 1);
        play.pass(Duration.ofSeconds(30));
        play.restart();
        assertThat(charged()).isZero();
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        restarted(1, 1, 1);
        play.pass(Alarm.RETRY_INTERVAL);
        assertThat(charged()).isEqualTo(1);
    }

    @Test
    void loopThatNobodySawEndsTheJobAtOnce() {
        runs();
        restarted(0, 20, 1);
        assertThat(play.takeOne(Effect.Moved.class).reason()).isEqualTo("BackoffLimitExceeded");
    }

    private void runs() {
        one.runs(failing(policy(Otherwise.GANG), workers(PODS, 1)));
    }

    private int charged() {
        return play.job(a).past().budgets().own();
    }

    private void restarted(int index, int count, int exitCode) {
        restarted(index, count, exitCode, "Error");
    }

    private void restarted(int index, int count, int exitCode, String reason) {
        var node = one.rank(index).making().node();
        var pod = Fixtures.pod(OneJob.mark(index), one.nextVersion(), PodPhase.RUNNING, node);
        var last = new Event.ContainerEnd(exitCode, reason, "");
        play.on(
                new Event.PodSeen(
                        WATCHER, a, Fixtures.again(pod, new Event.EarlierRuns(count, last))));
    }

    private void at(int second) {
        play.passHeard(Duration.between(play.now(), NOON.plusSeconds(second)), 0);
    }
}
