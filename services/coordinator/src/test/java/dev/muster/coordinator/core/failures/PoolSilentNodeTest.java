package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.caring;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one silence of a node does to a gang is charged once, whoever fails because of it. */
class PoolSilentNodeTest {
    private final Play play = Play.withNodes(1, 1, 1, 1);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void whoFailsAgainWhileRankZeroIsSilentIsNotChargedAgain() {
        one.runs(ElasticJobs.elastic("default", 2, 3, 3));
        silence(0);
        at(1);
        one.fail(1, 1);
        at(62);
        charged(1);
        at(72);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        play.restart();
        one.seeNewest(1, PodPhase.FAILED, 1);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        one.seeNewest(2, PodPhase.FAILED, 137);
        at(200);
        charged(1);
        at(320);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        charged(1);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
    }

    @Test
    void itsNextSilenceIsAnother() {
        one.runs(ElasticJobs.elastic("default", 2, 3, 3));
        silence(0);
        one.fail(1, 1);
        at(62);
        charged(1);
        hear(0);
        at(70);
        silence(0);
        one.fail(2, 1);
        at(131);
        charged(2);
    }

    @Test
    void soItIsOfAnyRankThatIsMadeAgainAlone() {
        one.runs(failing(policy(Otherwise.POD), workers(3, 1)));
        silence(2);
        one.fail(1, 1);
        at(61);
        charged(1);
        at(71);
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.FAILED, 1);
        at(132);
        charged(1);
        at(320);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        charged(1);
        assertThat(play.job(a).past().budgets().inARow()).isEqualTo(3);
    }

    @Test
    void whatItLeavesIsNotChargedEither() {
        one.runs(failing(policy(Otherwise.POD), workers(3, 1)));
        silence(2);
        one.fail(1, 1);
        at(61);
        play.on(new Event.NodeReleased(WATCHER, one.rank(2).making().node(), false));
        one.gone(2);
        at(80);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        charged(1);
    }

    @Test
    void whoComesToANodeThatWasLeftMeetsItsNextSilence() {
        one.runs(ElasticJobs.elastic("default", 2, 3, 3));
        var left = one.rank(1).making().node();
        silence(1);
        one.fail(2, 1);
        at(62);
        charged(1);
        at(72);
        one.seeNewest(2, PodPhase.RUNNING, null);
        play.on(new Event.NodeReleased(WATCHER, left, false));
        one.gone(1);
        at(320);
        at(400);
        assertThat(one.rank(1).making().node()).isNotEqualTo(left);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(left, 1)));
        play.on(new Event.NodeReleased(WATCHER, one.rank(2).making().node(), false));
        one.seeNewest(2, PodPhase.FAILED, 1);
        at(520);
        at(600);
        at(700);
        assertThat(one.rank(2).making().node()).isEqualTo(left);
        one.seeNewest(2, PodPhase.RUNNING, null);
        var before = play.job(a).past().budgets().infrastructure();
        silence(2);
        one.seeNewest(1, PodPhase.FAILED, 1);
        at(762);
        charged(before + 1);
    }

    /** Roles wait for their verdicts as long as each says: the minute is that of the first. */
    @ParameterizedTest
    @CsvSource({"10, 120", "50, 10", "10, 10"})
    void verdictWaitsAMinuteFromTheFirstFailureHoweverLongEachRoleWaits(int first, int other) {
        runs(first, other);
        one.see("master", PodPhase.FAILED, 1);
        at(5);
        play.on(
                new Event.NodeSeen(
                        WATCHER, Fixtures.node(one.rank(1).making().node(), 1).silent(true)));
        one.seeNewest(0, PodPhase.FAILED, 137);
        at(59);
        assertThat(play.job(a).past().budgets().all()).isZero();
        play.restart();
        at(60);
        charged(1);
    }

    @Test
    void nodeThatWasOnlyLateIsChargedWithNothing() {
        runs(10, 120);
        one.see("master", PodPhase.FAILED, 1);
        at(5);
        var node = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 1).silent(true)));
        one.seeNewest(0, PodPhase.FAILED, 137);
        at(20);
        assertThat(play.job(a).past().budgets().all()).isZero();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 1)));
        at(61);
        var budgets = play.job(a).past().budgets();
        assertThat(budgets.infrastructure()).isZero();
        assertThat(budgets.own()).isEqualTo(1);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
    }

    /** A default that ends a job does so for the first alone; a rule does not. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void ruleOfAnyOfThemThatEndsTheJobDecides(boolean isMasterFirst, boolean isForWorkers) {
        var fail = new Action.Fail("no such luck");
        var whose = isForWorkers ? "worker" : "master";
        var rule = new Rule(List.of(), List.of("NodeLost"), whose, fail);
        var spec = spec("default", role("master", 1, 1), role("worker", 2, 1));
        runs(failing(policy(Otherwise.GANG, rule), spec));
        silence(1);
        if (isMasterFirst) {
            one.see("master", PodPhase.FAILED, 1);
        }
        one.seeNewest(0, PodPhase.FAILED, 1);
        if (!isMasterFirst) {
            one.see("master", PodPhase.FAILED, 1);
        }
        at(59);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        play.restart();
        at(61);
        var end = ((JobState.Ended) play.job(a).state()).end();
        assertThat(end.phase()).isEqualTo(Phase.FAILED);
        assertThat(end.reason()).isEqualTo("NodeLost");
        assertThat(end.message()).startsWith("no such luck (");
    }

    /** A master and two workers, each role with a policy of its own. */
    private void runs(int masterSettles, int workersSettle) {
        var spec =
                spec(
                        "default",
                        caring(care(masterSettles), role("master", 1, 1)),
                        caring(care(workersSettle), role("worker", 2, 1)));
        runs(spec);
    }

    private void runs(JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        one.see("master", PodPhase.RUNNING, null);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
    }

    private static JobSpec.Care care(int settle) {
        var plain = policy(Otherwise.POD);
        var policy =
                new FailurePolicy(
                        plain.otherwise(),
                        plain.limits(),
                        plain.delay(),
                        Duration.ofSeconds(settle),
                        plain.nodeLost(),
                        plain.rules());
        return new JobSpec.Care(policy, new TreeSet<>());
    }

    private void charged(int times) {
        var budgets = play.job(a).past().budgets();
        assertThat(budgets.infrastructure()).isEqualTo(times);
        assertThat(budgets.own()).isZero();
    }

    private void silence(int index) {
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(index).making().node(), 1)));
    }

    private void hear(int index) {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(one.rank(index).making().node(), 1)));
    }

    private void at(int second) {
        play.passHeard(Duration.between(play.now(), NOON.plusSeconds(second)), 0);
    }
}
