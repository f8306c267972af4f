package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import org.junit.jupiter.api.Test;

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
