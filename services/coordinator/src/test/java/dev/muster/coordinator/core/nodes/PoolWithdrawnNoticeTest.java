package dev.muster.coordinator.core.nodes;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.rule;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.failures.Failures;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.BackedPools;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.fixtures.SpotPods;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Checkpoint.Stage;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that are not to go after all, while those who were to leave them save. */
class PoolWithdrawnNoticeTest {
    private static final String NOTICE = "aws-node-termination-handler/spot-itn";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final FailurePolicy IGNORING = policy(Otherwise.GANG, rule(new Action.Ignore()));

    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private final Asking asking = new Asking(play, a);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void gangThatSavesGoesOnWhereItIs(boolean ends) {
        one.runs(byFile(workers(2, 2)));
        node("node-1", 4);
        goes("node-0", ends);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        play.restart();
        node("node-0", 4);
        play.pass(SECOND);
        assertThat(play.job(a).state()).isEqualTo(new JobState.Running(0));
        asking.endedAs(Stage.WITHDRAWN);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(play.take(StopPlan.class)).isEmpty();
        assertThat(play.job(a).fences().attempt()).isEqualTo(1);
        goes("node-0", ends);
        assertThat(play.job(a).state()).as("another time").isInstanceOf(JobState.Saving.class);
    }

    /** Pods that were made before tolerate it still, and end with their node. */
    @Test
    void gangLeavesWhereThePoolsSpotPodsTolerateTheNoticeNoMore() {
        var any = new NodeFilter.Toleration("", true, "", null);
        var pool = SpotPods.pool(BackedPools.with(PoolSpec.Backing.NONE));
        play.on(new Event.PoolPut("default", SpotPods.tolerating(pool, List.of(any)), null));
        one.runs(byFile(Fixtures.spec("default", SpotPods.spot(2, Fixtures.role("worker", 2, 1)))));
        node("node-1", 4);
        var notice = List.of(new Node.Taint(NOTICE, "", Node.Effect.NO_SCHEDULE));
        var node = Fixtures.node("node-0", 4);
        play.on(new Event.NodeSeen(WATCHER, Nodes.looking(node, node.labels(), notice)));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.on(new Event.PoolPut("default", SpotPods.tolerating(pool, List.of()), null));
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    @Test
    void failureThatCountsForNothingIsJudgedInItsTimeThoughTheGangGoesOnMeanwhile() {
        one.runs(byFile(failing(IGNORING, workers(2, 2))));
        node("node-1", 4);
        goes("node-0", true);
        one.fail(0, 1);
        play.passHeard(IGNORING.settle().minusSeconds(2), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        node("node-0", 4);
        play.passHeard(SECOND, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(one.rank(0).state()).isEqualTo(RankState.FAILED);
        play.restart();
        play.passHeard(SECOND, 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.IGNORED);
    }

    @Test
    void soItIsWhereANodeOfTheGangIsNotHeardOf() {
        node("node-1", 4);
        node("node-2", 4);
        one.runs(byFile(failing(IGNORING, workers(3, 4))));
        goes(one.rank(2).making().node(), true);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(1).making().node(), 4)));
        one.fail(0, 1);
        play.passHeard(IGNORING.settle().plus(IGNORING.settle()), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        node(one.rank(2).making().node(), 4);
        play.passHeard(Failures.NODE_SETTLE.minus(IGNORING.settle().multipliedBy(3)), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(one.rank(0).state()).isEqualTo(RankState.FAILED);
        play.restart();
        play.passHeard(IGNORING.settle(), 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.IGNORED);
    }

    /** Its pods are ordered with the very step that places them. */
    @Test
    void stageWhoseTurnCameMeanwhileComesOnceTheGangGoesOn() {
        var master = Fixtures.role("master", 1, 1);
        var worker = Fixtures.after("master", Milestone.SUCCEEDED, Fixtures.role("worker", 1, 1));
        var spec = byFile(Fixtures.spec("default", master, worker));
        play.on(new Event.Submitted(a, spec, null));
        one.see("master", PodPhase.RUNNING, null);
        goes("node-0", true);
        one.see("master", PodPhase.SUCCEEDED, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        node("node-0", 4);
        play.pass(Duration.ZERO);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().opened()).contains("worker");
        assertThat(one.rank(0)).isNotNull();
    }

    @Test
    void nobodyComesInThePlaceOfOneOfAGangThatLeavesAsAWhole() {
        one.runs(byFile(elastic("default", 2, 2, 4)));
        goes("node-0", false);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        node("node-1", 2);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        assertThat(play.ranks(a)).hasSize(2);
        play.restart();
        node("node-0", 4);
        play.pass(SECOND);
        stay(2);
    }

    @Test
    void gangOnTwoNodesGoesOnWhenNeitherGoes() {
        node("node-1", 4);
        one.runs(byFile(workers(2, 4)));
        node("node-2", 8);
        goes("node-0", true);
        goes("node-1", true);
        node("node-0", 4);
        play.pass(SECOND);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        node("node-1", 4);
        play.pass(SECOND);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void gangThatHasSavedOrLeavesForAnotherReasonStops() {
        one.runs(byFile(workers(2, 2)));
        goes("node-0", true);
        asking.answer(true);
        node("node-0", 4);
        play.pass(SECOND);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        var b = job("b", 2);
        node("node-1", 4);
        new OneJob(play, b).runs(byFile(workers(1, 4)));
        goes("node-1", true);
        play.on(new Event.ChangeAsked(b, new Change.Suspend(null, ""), null));
        node("node-1", 4);
        play.pass(SECOND);
        assertThat(play.job(b).state())
                .isInstanceOf(JobState.Saving.class)
                .matches(state -> !state.isMoving());
    }

    @Test
    void workersThatWereToLeaveStay() {
        node("node-1", 2);
        node("node-0", 2);
        one.runs(byFile(elastic("default", 2, 4, 8)));
        goes("node-1", false);
        assertThat(leaving()).hasSize(2);
        node("node-1", 2);
        play.pass(SECOND);
        stay(4);
    }

    /** Who was to come in their place does not, and those who were to grow do. */
    @Test
    void nobodyComesInThePlaceOfWhoStays() {
        node("node-1", 4);
        var spec = elastic("default", 2, 2, 4);
        one.runs(byFile(Respec.roles(spec, role -> Respec.pods(role, role.filter(), true))));
        node("node-2", 4);
        var node = one.rank(1).making().node();
        goes(node, true);
        assertThat(leaving()).containsExactly("worker-1");
        assertThat(one.rank(2)).isNotNull();
        play.restart();
        node(node, 4);
        play.pass(SECOND);
        assertThat(one.rank(2)).isNull();
        stay(2);
    }

    @Test
    void workersLeaveAsLongAsTheirNodeGoes() {
        node("node-1", 2);
        node("node-0", 2);
        one.runs(byFile(elastic("default", 2, 4, 8)));
        goes("node-1", false);
        assertThat(leaving()).hasSize(2);
        goes("node-0", false);
        node("node-0", 2);
        play.pass(SECOND);
        assertThat(leaving()).hasSize(2);
    }

    @Test
    void whoHasSavedLeavesAllTheSame() {
        node("node-1", 2);
        node("node-0", 2);
        one.runs(byFile(elastic("default", 2, 4, 8)));
        goes("node-1", false);
        asking.answer(true);
        node("node-1", 2);
        play.pass(SECOND);
        assertThat(leaving()).hasSize(2);
    }

    @Test
    void whomACommandTakesLeavesAllTheSame() {
        one.runs(byFile(elastic("default", 2, 4, 8)));
        var terms = new Change.Terms(Duration.ZERO, true, Duration.ZERO, false);
        var names = new TreeSet<>(List.of("worker-3"));
        play.on(new Event.ChangeAsked(a, new Change.ScaleIn("worker", 0, names, terms), null));
        goes("node-0", false);
        assertThat(leaving()).containsExactly("worker-2", "worker-3");
        node("node-0", 4);
        play.pass(SECOND);
        assertThat(leaving()).containsExactly("worker-3");
        assertThat(play.job(a).asked()).isNotNull();
    }

    @Test
    void whatIsGivenBackLeavesAllTheSame() {
        one.runs(byFile(elastic("default", 2, 4, 8)));
        play.on(new Event.Submitted(job("b", 2), workers(2, 1), null));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(10), 0);
        assertThat(leaving()).containsExactly("worker-2", "worker-3");
        goes("node-0", false);
        node("node-0", 4);
        play.pass(SECOND);
        assertThat(leaving()).containsExactly("worker-2", "worker-3");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void settingsThatNoticeNothingLetEverybodyStay(boolean taint) {
        play.on(new Event.PoolPut("default", noticing(taint, "x/leaves"), null));
        one.runs(byFile(workers(2, 2)));
        var tainted = new Node.Taint("x/leaves", "", Node.Effect.NO_SCHEDULE);
        var node = Fixtures.node("node-0", 4);
        play.on(
                new Event.NodeSeen(
                        WATCHER,
                        taint
                                ? Nodes.looking(node, node.labels(), List.of(tainted))
                                : Nodes.annotated("node-0", 4, "x/leaves")));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        play.on(new Event.PoolPut("default", noticing(taint, "x/other"), null));
        play.pass(SECOND);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    /** What ran for long before has done so, though it was to go elsewhere for a moment. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void delaysBeginAnewForAGangThatRanForLongBefore(boolean saved) {
        one.runs(byFile(failing(policy(Otherwise.POD), workers(2, 2))));
        node("node-1", 4);
        fails();
        assertThat(fails()).isEqualTo(Duration.ofSeconds(20));
        play.passHeard(Duration.ofHours(1), 0);
        goes("node-0", false);
        goes("node-1", false);
        node("node-2", 4);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        if (saved) {
            asking.answer(true);
        }
        node("node-0", 4);
        node("node-1", 4);
        play.pass(SECOND);
        if (saved) {
            one.applied(false);
            for (var rank : play.ranks(a)) {
                play.on(new Event.PodGone(WATCHER, a, one.newest(rank.id().index())));
            }
            one.applied(true);
            one.applied(false);
            one.seeNewest(0, PodPhase.RUNNING, null);
            one.seeNewest(1, PodPhase.RUNNING, null);
        }
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.restart();
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(fails()).isEqualTo(Duration.ofSeconds(10));
    }

    /** It runs again afterwards; how long it was not to come again, once that was judged. */
    private Duration fails() {
        var mark = one.newest(1);
        var node = one.rank(1).making().node();
        var pod = Fixtures.pod(mark, one.nextVersion(), PodPhase.FAILED, node, 137);
        play.on(new Event.PodSeen(WATCHER, a, pod));
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        var due = one.rank(1).sight().due();
        var delay = Duration.between(play.now(), due);
        play.passHeard(delay, 0);
        one.seeNewest(1, PodPhase.RUNNING, null);
        return delay;
    }

    private static PoolSpec noticing(boolean taint, String key) {
        var keys = List.of(key);
        return Nodes.noticing(
                taint
                        ? new PoolSpec.Notices(keys, List.of(), List.of())
                        : new PoolSpec.Notices(List.of(), List.of(), keys));
    }

    private void stay(int members) {
        assertThat(leaving()).isEmpty();
        assertThat(play.ranks(a)).hasSize(members);
        asking.endedAs(Stage.WITHDRAWN);
        play.passHeard(GoingNodes.CHECK_INTERVAL.multipliedBy(2), 0);
        assertThat(play.take(RunPlan.class).getLast().pods()).hasSize(members);
        assertThat(play.ranks(a)).hasSize(members).noneMatch(Rank::isLeaving);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    private List<String> leaving() {
        return play.ranks(a).stream()
                .filter(Rank::isLeaving)
                .map(rank -> rank.id().toString())
                .toList();
    }

    private void node(String name, long cores) {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(name, cores)));
    }

    private void goes(String node, boolean ends) {
        play.on(
                new Event.NodeSeen(
                        WATCHER, ends ? Nodes.tainted(node, 4, NOTICE) : Nodes.cordoned(node, 4)));
    }
}
