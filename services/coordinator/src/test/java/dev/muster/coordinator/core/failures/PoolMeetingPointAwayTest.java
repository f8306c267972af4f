package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elastic ranks that fell with rank 0, which cannot come back for long. */
class PoolMeetingPointAwayTest {
    private final Play play = Play.withNodes(1, 1, 1, 1);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void whoFellWaitsForRankZeroThatFindsNoRoom() {
        var node = loseFirst();
        at(30);
        one.fail(1, 1);
        at(40);
        one.fail(2, 1);
        play.restart();
        at(120);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).past().budgets().all()).isEqualTo(1);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 1)));
        assertThat(one.rank(0).state()).isEqualTo(RankState.ORDERED);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        assertThat(one.rank(2).state()).isEqualTo(RankState.ORDERED);
    }

    @Test
    void whoFellWhileItsDelayRanWaitsForItToo() {
        one.runs(ElasticJobs.elastic("default", 2, 4, 4));
        one.fail(0, 137);
        at(11);
        silence(0);
        one.fail(1, 1);
        at(120);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RUNNING);
    }

    @Test
    void whoFellWaitsForRankZeroOnADeadNode() {
        one.runs(ElasticJobs.elastic("default", 2, 4, 4));
        silence(0);
        play.passHeard(FailurePolicy.PLAIN.nodeLost().after().plusMinutes(2), 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        one.fail(1, 1);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
    }

    @Test
    void jobWhoseMinimumFellWithItIsTakenBack() {
        loseFirst();
        for (int i = 1; i < 4; i++) {
            one.fail(i, 1);
        }
        play.passHeard(play.job(a).spec().gang().timeout().plusMinutes(1), 0);
        assertThat(play.job(a).state()).isNotInstanceOf(Running.class);
    }

    /** It is charged for nobody, and would hold its room without end. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whoFallsAgainAndAgainPutsOffNothingOfTheTimeThatRankZeroHas(int fallers) {
        rankZeroIsStuck(ElasticJobs.elastic("default", 4, 4, 4));
        var until = play.now().plus(play.job(a).spec().gang().timeout()).plusSeconds(5);
        while (play.now().isBefore(until)) {
            for (int i = 1; i <= fallers; i++) {
                if (!one.rank(i).state().hasEnded()) {
                    one.seeNewest(i, PodPhase.RUNNING, null);
                    one.seeNewest(i, PodPhase.FAILED, 1);
                }
                play.passHeard(Duration.ofSeconds(3), 0);
            }
        }
        assertThat(play.job(a).past().budgets().all()).isEqualTo(1);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    /** They were made again just before, or have a delay, and nobody could run without it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoFellHasTheWholeTimeOnceRankZeroRuns(boolean isMade) {
        rankZeroIsStuck(ElasticJobs.elastic("default", 3, 3, 4));
        var timeout = play.job(a).spec().gang().timeout();
        at(280);
        one.fail(1, 1);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        at(isMade ? 310 : 281);
        assertThat(one.rank(1).state().hasEnded()).isEqualTo(!isMade);
        one.seeNewest(0, PodPhase.RUNNING, null);
        play.restart();
        play.passHeard(timeout.minusSeconds(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    /** All of them would run then, unless one of those who fell has lost its room. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rankZeroGoesToAnotherNodeThoughWhoFellHasItsDelay(boolean hasRoom) {
        rankZeroIsStuck(ElasticJobs.elastic("default", 4, 4, 4));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("other", 1)));
        at(310);
        one.fail(1, 1);
        if (!hasRoom) {
            play.on(new Event.NodeReleased(WATCHER, one.rank(1).making().node(), false));
        }
        at(322);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(one.rank(0).making().node().equals("other")).isEqualTo(hasRoom);
        assertThat(play.job(a).state() instanceof Running).isEqualTo(hasRoom);
    }

    /** It comes by itself once rank 0 runs, whom alone the job's words name. */
    @Test
    void rankZeroGoesToAnotherNodeThoughWhoFellWasMadeAgainJustNow() {
        rankZeroIsStuckAndOneFalls();
        assertThat(play.explain(a).orElseThrow().reasons())
                .singleElement()
                .satisfies(reason -> assertThat(reason.scope()).isEqualTo("worker-0"));
        at(317);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        var node = one.rank(1).making().node();
        at(322);
        assertThat(one.rank(0).making().node()).isEqualTo("other");
        assertThat(one.rank(1).making().node()).isEqualTo(node);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
    }

    /** It would not come where it is, so that rank 0 alone would not help. */
    @Test
    void rankZeroStaysWhereWhoFellIsOnANodeThatIsNotHeardOf() {
        rankZeroIsStuckAndOneFalls();
        at(317);
        silence(1);
        at(322);
        assertThat(one.rank(0).making().node()).isNotEqualTo("other");
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    /** What another fails by has nothing to do with rank 0, and its delay is what is waited for. */
    @Test
    void whoFailsByARuleIsNamedThoughRankZeroDoesNotRun() {
        var codes = List.of(new FailurePolicy.ExitCodes(7, 7));
        var rule =
                new FailurePolicy.Rule(
                        codes, List.of(), null, new FailurePolicy.Action.RestartPod());
        var policy = Fixtures.policy(FailurePolicy.Otherwise.POD, rule);
        rankZeroIsStuck(Fixtures.failing(policy, ElasticJobs.elastic("default", 4, 4, 4)));
        one.fail(1, 7);
        at(33);
        assertThat(play.explain(a).orElseThrow().reasons())
                .singleElement()
                .satisfies(reason -> {
                    assertThat(reason.code()).isEqualTo(WaitReason.Code.BACKING_OFF);
                    assertThat(reason.scope()).isEqualTo("worker-1");
                });
    }

    /** It was made again at 20 s and does not run, so that its time is over at 320 s. */
    private void rankZeroIsStuck(JobSpec spec) {
        one.runs(spec);
        one.fail(0, 137);
        at(21);
        one.seeNewest(0, PodPhase.PENDING, null);
    }

    private void rankZeroIsStuckAndOneFalls() {
        rankZeroIsStuck(ElasticJobs.elastic("default", 4, 4, 4));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("other", 1)));
        at(285);
        one.fail(1, 1);
    }

    @Test
    void delayOfWhoFellHoldsWhileAnotherSeeksRoom() {
        one.runs(ElasticJobs.elastic("default", 2, 4, 4));
        one.fail(0, 137);
        one.fail(3, 137);
        at(11);
        silence(3);
        at(20);
        assertThat(one.rank(0).state()).isEqualTo(RankState.ORDERED);
        assertThat(one.rank(3).state()).isEqualTo(RankState.RETURNING);
        one.fail(1, 1);
        at(39);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        at(40);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        one.seeNewest(1, PodPhase.FAILED, 1);
        at(79);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        play.restart();
        at(80);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(one.rank(3).making().node(), 1)));
        assertThat(one.rank(3).state()).isEqualTo(RankState.ORDERED);
    }

    /** It is to be made again from 20 s on, and its node is not there. */
    private String loseFirst() {
        one.runs(ElasticJobs.elastic("default", 2, 4, 4));
        one.fail(0, 137);
        at(11);
        var node = silence(0);
        at(21);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        return node;
    }

    private String silence(int index) {
        var node = one.rank(index).making().node();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 1)));
        return node;
    }

    private void at(int second) {
        play.passHeard(Duration.between(play.now(), NOON.plusSeconds(second)), 0);
    }
}
