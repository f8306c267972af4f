package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elastic ranks that end since rank 0 is not there, where they meet. */
class PoolMeetingPointTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void peersThatNoticeLateAreMadeAgainWithIt() {
        loseFirst();
        at(11);
        one.fail(1, 1);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        at(13);
        one.fail(2, 137);
        play.restart();
        at(20);
        assertThat(List.of(one.rank(0), one.rank(1), one.rank(2)))
                .extracting(rank -> rank.state())
                .containsOnly(RankState.ORDERED);
        at(40);
        assertThat(play.takePhases(a)).isEmpty();
        assertThat(play.job(a).past().budgets().all()).isEqualTo(1);
    }

    @Test
    void soAreThoseThatEndBeforeItRunsAgainEachTimeLater() {
        loseFirst();
        at(20);
        one.fail(1, 1);
        at(39);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        at(40);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        one.seeNewest(1, PodPhase.FAILED, 1);
        at(79);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        at(80);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        assertThat(play.job(a).past().budgets().all()).isEqualTo(1);
    }

    @Test
    void soAreThoseThatDoNotFindItAtTheStart() {
        play.on(new Event.Submitted(a, ElasticJobs.elastic("default", 2, 3, 4), null));
        one.applied(false);
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.FAILED, 1);
        at(30);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        assertThat(play.job(a).past().budgets().all()).isZero();
    }

    @Test
    void onceItRunsTheirEndsAreTheirOwn() {
        loseFirst();
        at(20);
        one.seeNewest(0, PodPhase.RUNNING, null);
        play.takeEffects();
        one.fail(1, 1);
        at(30);
        assertThat(play.takePhases(a)).containsExactly(Phase.FAILED);
    }

    @Test
    void itsOwnEndIsItsOwn() {
        loseFirst();
        at(20);
        one.seeNewest(0, PodPhase.FAILED, 1);
        at(30);
        assertThat(play.takePhases(a)).containsExactly(Phase.FAILED);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 42})
    void rulesAreForThemToo(int code) {
        var rule = new Rule(codes(64), List.of(), null, new Action.Fail("wrong arguments"));
        var again = new Rule(codes(42), List.of(), null, new Action.RestartPod());
        var spec = ElasticJobs.elastic("default", 2, 3, 4);
        one.runs(failing(policy(Otherwise.POD, rule, again), spec));
        one.fail(0, 137);
        at(11);
        one.fail(1, code);
        at(30);
        assertThat(play.job(a).state().phase())
                .isEqualTo(code == 64 ? Phase.FAILED : Phase.RUNNING);
        assertThat(play.job(a).past().budgets().all()).isEqualTo(code == 64 ? 1 : 2);
    }

    /** Nor sooner with one that did not fall with them. */
    @ParameterizedTest
    @ValueSource(ints = {60, 1800})
    void whoFallsTogetherIsMadeAgainTogetherThoughAnotherRoleWaitsLonger(int seconds) {
        var spec = ElasticJobs.elastic("default", 2, 4, 4);
        play.on(
                new Event.Submitted(
                        a, ElasticJobs.evaluated(Duration.ofSeconds(seconds), spec), null));
        one.applied(false);
        one.see("eval", PodPhase.RUNNING, null);
        for (int worker : List.of(0, 1, 2, 3)) {
            one.seeNewest(worker, PodPhase.RUNNING, null);
        }
        one.see("eval", PodPhase.FAILED, 137);
        at(10);
        one.seeNewest(0, PodPhase.FAILED, 137);
        at(40);
        assertThat(one.rank(0).state()).isEqualTo(RankState.ORDERED);
        for (int worker : List.of(1, 2, 3)) {
            one.seeNewest(worker, PodPhase.FAILED, 1);
            assertThat(one.rank(worker).sight().due()).isEqualTo(NOON.plusSeconds(80));
        }
        assertThat(play.job(a).past().budgets().inARow()).isEqualTo(3);
    }

    /** Its own delay goes on, though it waits for another role after that, too. */
    @ParameterizedTest
    @ValueSource(ints = {60, 1800})
    void whoFallsWithOneThatAwaitsAnotherRoleHasItsDelay(int seconds) {
        var master = Fixtures.after("eval", Milestone.RUNNING, Fixtures.role("master", 1, 1));
        var workers = Fixtures.atLeast(2, Fixtures.role("worker", 3, 1));
        var spec = ElasticJobs.elastic(2, 4, Fixtures.spec("default", master, workers));
        play.on(
                new Event.Submitted(
                        a, ElasticJobs.evaluated(Duration.ofSeconds(seconds), spec), null));
        one.applied(false);
        one.see("eval", PodPhase.RUNNING, null);
        one.applied(false);
        one.see("master", PodPhase.RUNNING, null);
        for (int worker : List.of(0, 1, 2)) {
            one.seeNewest(worker, PodPhase.RUNNING, null);
        }
        one.see("eval", PodPhase.FAILED, 137);
        at(10);
        one.see("master", PodPhase.FAILED, 137);
        at(30);
        for (int worker : List.of(1, 2)) {
            one.seeNewest(worker, PodPhase.FAILED, 1);
            assertThat(one.rank(worker).sight().due()).isEqualTo(NOON.plusSeconds(40));
        }
        assertThat(play.job(a).past().budgets().inARow()).isEqualTo(2);
    }

    /** It returns from 10 s on, and is made again at 20 s. */
    private void loseFirst() {
        one.runs(ElasticJobs.elastic("default", 2, 3, 4));
        one.fail(0, 137);
        at(10);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        play.takeEffects();
    }

    private static List<ExitCodes> codes(int code) {
        return List.of(new ExitCodes(code, code));
    }

    private void at(int second) {
        play.passHeard(Duration.between(play.now(), NOON.plusSeconds(second)), 0);
    }
}
