package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.remembering;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What failures by several causes mean together. */
class PoolVerdictTest {
    private static final Duration SETTLE = FailurePolicy.PLAIN.settle();

    private final Play play = Play.withNodes(1, 1, 1);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void peersOfALostNodeHoldNothingAgainstTheirOwn() {
        var rule = new Rule(codes(77), List.of(), null, new Action.ExcludeNode());
        one.runs(failing(policy(Otherwise.POD, rule), workers(3, 1)));
        one.fail(0, 77);
        one.fail(1, 77);
        lose(2);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        assertThat(play.job(a).past().exclusions().nodes()).isEmpty();
        assertThat(play.rows.get(Row.Table.SUSPICION)).containsOnlyKeys("node-2");
    }

    @Test
    void killedPeersOfALostNodeNeedNoMoreMemory() {
        var action = new Action.GrowMemory(1500, Fixtures.gibi(1));
        var rule = new Rule(codes(137), List.of(), null, action);
        var spec = spec("default", remembering(1, role("worker", 2, 1)));
        one.runs(failing(policy(Otherwise.POD, rule), spec));
        one.fail(0, 137);
        lose(1);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void failuresByOneCauseAllActAsTheirRulesSay() {
        var rule = new Rule(codes(77), List.of(), null, new Action.ExcludeNode());
        one.runs(failing(policy(Otherwise.POD, rule), workers(3, 1)));
        one.fail(0, 77);
        one.fail(1, 77);
        play.passHeard(SETTLE, 0);
        assertThat(play.job(a).past().exclusions().nodes()).containsExactly("node-0", "node-1");
    }

    @ParameterizedTest
    @EnumSource
    void nodeThatDiesIsChargedWithWhatItsPeersDidLongBeforeItIsKnownToBeLost(Otherwise otherwise) {
        one.runs(failing(policy(otherwise), workers(2, 1)));
        at(3);
        one.fail(0, 1);
        at(12);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 1).silent(true)));
        play.restart();
        at(49);
        assertThat(play.takePhases(a)).isEmpty();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 1).silent(true)));
        at(63);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        assertThat(play.job(a).past().budgets().own()).isZero();
        assertThat(play.job(a).state().isUp() || otherwise == Otherwise.GANG).isTrue();
    }

    /** It excuses its peers, and it is the one that the rule is about. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void silentNodeThatIsToBlameIsAvoidedWhereTheRuleSaysSo(boolean ready) {
        var rule = new Rule(List.of(), List.of("NodeLost"), null, new Action.ExcludeNode());
        one.runs(failing(policy(Otherwise.GANG, rule), workers(2, 1)));
        one.fail(0, 1);
        var silent = ready ? Fixtures.node("node-1", 1) : Chance.unready("node-1", 1);
        play.on(new Event.NodeSeen(WATCHER, silent.silent(true)));
        at(61);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(play.job(a).past().exclusions().nodes()).containsExactly("node-1");
        assertThat(play.rows.get(Row.Table.SUSPICION)).containsOnlyKeys("node-1");
    }

    @Test
    void nodeThatWasLateOnceIsNotToBlame() {
        one.runs(workers(2, 1));
        at(3);
        one.fail(0, 1);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 1).silent(true)));
        at(14);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 1)));
        at(62);
        assertThat(play.takePhases(a)).isEmpty();
        at(63);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void nodeOfWhoHasEndedExcusesNobody(Otherwise otherwise) {
        one.runs(failing(policy(otherwise), workers(2, 1)));
        one.succeed(0);
        play.on(new Event.NodeReleased(WATCHER, "node-0", false));
        one.fail(1, 1);
        at(60);
        assertThat(play.job(a).past().budgets().infrastructure()).isZero();
        assertThat(play.takePhases(a))
                .containsExactly(otherwise == Otherwise.POD ? Phase.FAILED : Phase.RESTARTING);
    }

    @Test
    void nodeOfWhoWasJudgedExcusesNobody() {
        one.runs(failing(policy(Otherwise.POD), workers(2, 1)));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-0", 1)));
        at(320);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        one.fail(1, 1);
        at(400);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        assertThat(play.takePhases(a)).containsExactly(Phase.FAILED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofEqualCausesTheWidestRestartIsDone(boolean isMasterFirst) {
        var rule = new Rule(codes(1), List.of(), "worker", new Action.RestartPod());
        var spec = spec("default", role("master", 1, 1), role("worker", 2, 1));
        play.on(new Event.Submitted(a, failing(policy(Otherwise.GANG, rule), spec), null));
        one.applied(false);
        one.see("master", PodPhase.RUNNING, null);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.takeEffects();
        if (isMasterFirst) {
            one.see("master", PodPhase.FAILED, 1);
        }
        one.seeNewest(1, PodPhase.FAILED, 1);
        at(2);
        if (!isMasterFirst) {
            one.see("master", PodPhase.FAILED, 1);
        }
        at(10);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void whoFailsAfterTheFirstDoesNotEndTheJobByDefault() {
        var rule = new Rule(codes(42), List.of(), null, new Action.RestartPod());
        one.runs(failing(policy(Otherwise.POD, rule), workers(2, 1)));
        one.fail(0, 42);
        one.fail(1, 1);
        at(10);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
    }

    @Test
    void whoFailedFirstIsTheFirstThoughHisSidecarEndsLater() {
        firstIsToStartAgainAndTheSecondIsNot();
        one.see(2, PodPhase.FAILED, 42);
        play.restart();
        theFirstDecides();
    }

    @Test
    void whoFailedFirstIsTheFirstInWhateverOrderASnapshotListsAll() {
        firstIsToStartAgainAndTheSecondIsNot();
        play.on(new Event.SnapshotBegin(WATCHER, "again"));
        for (var name : List.of("node-0", "node-1", "node-2")) {
            play.on(new Event.NodeSeen(WATCHER, Fixtures.node(name, 1)));
        }
        one.see(0, PodPhase.RUNNING, null);
        one.see(1, PodPhase.FAILED, 1);
        one.see(2, PodPhase.RUNNING, 42);
        play.on(new Event.SnapshotEnd(WATCHER, "again"));
        play.restart();
        theFirstDecides();
    }

    private void firstIsToStartAgainAndTheSecondIsNot() {
        var rule = new Rule(codes(42), List.of(), "worker", new Action.RestartPod());
        one.runs(failing(policy(Otherwise.POD, rule), ElasticJobs.elastic("default", 1, 3, 3)));
        one.see(2, PodPhase.RUNNING, 42);
        at(1);
        one.see(1, PodPhase.FAILED, 1);
        at(2);
    }

    private void theFirstDecides() {
        at(10);
        assertThat(play.takePhases(a)).isEmpty();
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
    }

    /** It was seen to run long before that. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoVanishesOrIsLostWithHisNodeHasFailedByThen(boolean isLost) {
        one.runs(failing(policy(Otherwise.POD), workers(3, 1)));
        one.see(2, PodPhase.RUNNING, null);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-0", 1)));
        at(299);
        one.fail(1, 1);
        at(300);
        if (!isLost) {
            one.gone(2);
        }
        assertThat(one.rank(0).state()).isEqualTo(RankState.FAILED);
        var later = one.rank(isLost ? 0 : 2).sight();
        assertThat(later.failedAt()).isGreaterThan(one.rank(1).sight().failedAt());
    }

    /** They would have told what else has failed, or that a node has. */
    @Test
    void verdictIsNotSpokenWhileAWitnessIsNotHeardOf() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        one.runs(workers(2, 1));
        play.pass(Duration.ofSeconds(8));
        one.fail(0, 1);
        play.pass(SETTLE.multipliedBy(3));
        play.restart();
        assertThat(play.takePhases(a)).isEmpty();
        play.on(new Event.WatcherAlive(WATCHER));
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        play.pass(Alarm.RETRY_INTERVAL);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
    }

    @Test
    void nodeThatIsHeardOfAsSoonAsSomebodyLooksIsNotToBlame() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        one.runs(workers(2, 1));
        one.fail(0, 1);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 1).silent(true)));
        play.pass(Failures.NODE_SETTLE.plus(SETTLE));
        play.restart();
        assertThat(play.takePhases(a)).isEmpty();
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 1)));
        play.pass(Alarm.RETRY_INTERVAL);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void whoFailsAfterTheOnlyOneThatHadHasLeftHasTheWholeTime() {
        one.runs(ElasticJobs.elastic("default", 1, 3, 3));
        one.fail(2, 1);
        at(4);
        play.on(new Event.ChangeAsked(a, new Change.SetReplicas("worker", 2, Terms.PLAIN), null));
        assertThat(one.rank(2).isLeaving()).isTrue();
        at(9);
        one.fail(1, 1);
        play.restart();
        at(18);
        assertThat(play.takePhases(a)).isEmpty();
        at(19);
        assertThat(play.takePhases(a)).containsExactly(Phase.FAILED);
    }

    @Test
    void silentNodeTakesPodsAsLongAsItIsReady() {
        for (var name : List.of("node-0", "node-1", "node-2")) {
            play.on(new Event.NodeSeen(WATCHER, Fixtures.node(name, 1).silent(true)));
        }
        play.on(new Event.Submitted(a, workers(3, 1), null));
        assertThat(play.takePhases(a)).containsExactly(Phase.QUEUED, Phase.STARTING);
        assertThat(play.rows.get(Row.Table.SUSPICION)).isNull();
    }

    private void at(int second) {
        play.passHeard(Duration.between(play.now(), NOON.plusSeconds(second)), 0);
    }

    /** Its pod is gone, and nobody saw it end. */
    private void lose(int index) {
        play.on(new Event.PodGone(WATCHER, a, OneJob.mark(index)));
        play.passHeard(SETTLE, 0);
    }

    private static List<ExitCodes> codes(int code) {
        return List.of(new ExitCodes(code, code));
    }
}
