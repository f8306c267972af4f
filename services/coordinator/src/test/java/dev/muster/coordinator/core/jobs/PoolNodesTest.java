package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Backend;
import dev.muster.coordinator.core.model.PoolSpec.Backing;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gang of two, one on each node; the second node falls silent. */
class PoolNodesTest {
    private static final Duration AFTER = FailurePolicy.PLAIN.nodeLost().after();

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);
    private final OneJob one = new OneJob(play, a);
    private int lost;

    @BeforeEach
    void gangRunsOnTwoNodes() {
        one.runs(workers(2, 4));
        lost = one.rank(0).making().node().equals("node-1") ? 0 : 1;
    }

    @Test
    void silenceOfANodeIsALossOnlyAfterTheJobsPatience() {
        silence();
        play.passHeard(AFTER.minusSeconds(1), 0);
        assertThat(play.takePhases(a)).isEmpty();
        play.passHeard(Duration.ofSeconds(1), 0);
        var moved = play.takeOne(Effect.Moved.class);
        assertThat(moved.to()).isEqualTo(Phase.RESTARTING);
        assertThat(moved.reason()).isEqualTo("NodeLost");
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
    }

    @Test
    void nodeThatIsHeardOfAgainInTimeIsNoLoss() {
        silence();
        play.passHeard(AFTER.minusSeconds(1), 0);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        play.passHeard(AFTER.multipliedBy(2), 0);
        assertThat(play.takePhases(a)).isEmpty();
    }

    /** The shard that tells of the pod lags behind the one that tells of nodes. */
    @Test
    void whoIsSeenBoundToANodeThatIsSilentAlreadyIsLostWithIt() {
        var bound = Play.withNodes(4, 4);
        var backing = new Backing(Backend.VOLCANO, false, null);
        var spec = Nodes.remembering(PoolSpec.PLAIN.nodeHealth(), backing);
        bound.on(new Event.PoolPut("default", spec, null));
        bound.on(new Event.PodManagerAlive("p", Set.of(0), Set.of(Backend.VOLCANO), false));
        bound.on(new Event.Submitted(b, workers(1, 1), null));
        var held = new OneJob(bound, b).rank(0).making().node();
        var other = held.equals("node-0") ? "node-1" : "node-0";
        bound.on(new Event.NodeSeen(WATCHER, Chance.unready(other, 4)));
        bound.takeEffects();
        var pod = Fixtures.pod(OneJob.mark(0), 7, PodPhase.RUNNING, other);
        bound.on(new Event.PodSeen(WATCHER, b, pod));
        bound.passHeard(AFTER, 0);
        assertThat(bound.takePhases(b))
                .containsExactly(Phase.RUNNING, Phase.RESTARTING, Phase.QUEUED);
        assertThat(bound.job(b).past().budgets().infrastructure()).isEqualTo(1);
    }

    @Test
    void silenceOfTheWatcherIsNoLossOfANode() {
        silence();
        play.pass(AFTER.multipliedBy(2));
        assertThat(play.takePhases(a)).isEmpty();
    }

    @Test
    void jobWaitsWhileADeadNodeHoldsItsPodAndGivesBackTheRest() {
        lose();
        one.gone(1 - lost);
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.QUEUED);
        var waits = ((JobState.Lost) play.job(a).state()).waits();
        assertThat(waits.code()).isEqualTo(Code.NODE_LOST);
        assertThat(effects).contains(new Effect.Waits(a, "default", waits));
        play.on(new Event.Submitted(b, workers(1, 4), null));
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(b);
    }

    @Test
    void whatCanBeSaidToAJobThatIsHeldByADeadNode() {
        lose();
        one.gone(1 - lost);
        assertThat(answer(new Change.Prioritise(7))).isEqualTo("ACCEPTED ");
        assertThat(play.job(a).spec().place().priority()).isEqualTo(7);
        var no =
                "REFUSED pods of ml/a are left on nodes that were not heard of: until they are gone"
                        + " it can be given another priority, suspended or cancelled, and nothing"
                        + " else";
        assertThat(answer(new Change.Move("other"))).isEqualTo(no);
        assertThat(answer(new Change.Hold(""))).isEqualTo(no);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Lost.class);
    }

    private String answer(Change change) {
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, change, new Event.Request("ml/a", change.toString())));
        var answer = play.takeOne(Effect.Answer.class);
        return answer.outcome() + " " + answer.message();
    }

    @Test
    void nothingIsStartedInItsSteadBeforeTheDeadNodesPodIsGone() {
        lose();
        one.gone(1 - lost);
        play.passHeard(Duration.ofHours(1), 0);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 8)));
        assertThat(play.takeEffects()).noneMatch(RunPlan.class::isInstance);
        one.gone(lost);
        one.applied(false);
        assertThat(play.takeOne(StopPlan.class).stop().confirm()).isTrue();
        one.applied(true);
        var again = play.takeOne(RunPlan.class);
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.pods()).hasSize(2);
    }

    @Test
    void jobThatForcesDeletesWhatTheDeadNodeHoldsWithoutItsWord() {
        var force = Fixtures.losing(Duration.ofMinutes(1), true, FailurePolicy.PLAIN);
        play.on(Fixtures.cancel(a, "", null));
        one.gone(0);
        one.gone(1);
        one.applied(false);
        one.applied(true);
        play.on(new Event.Submitted(b, failing(force, workers(2, 4)), null));
        var other = new OneJob(play, b);
        other.applied(false);
        other.seeNewest(0, Event.PodPhase.RUNNING, null);
        other.seeNewest(1, Event.PodPhase.RUNNING, null);
        play.takeEffects();
        silence();
        play.passHeard(Duration.ofMinutes(1), 0);
        int dead = other.rank(0).making().node().equals("node-1") ? 0 : 1;
        play.takeEffects();
        play.on(new Event.PodGone(WATCHER, b, other.newest(1 - dead)));
        assertThat(play.takeOne(StopPlan.class).stop().forced())
                .containsExactly(ForcedPods.of(new RankId("worker", dead)));
    }

    @Test
    void somebodysWordForcesTheDeadNodesPod() {
        lose();
        one.gone(1 - lost);
        play.takeEffects();
        var request = new Request("ml/a", "r-1");
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), request));
        var effects = play.takeEffects();
        assertThat(effects)
                .filteredOn(StopPlan.class::isInstance)
                .extracting(effect -> ((StopPlan) effect).stop().forced())
                .containsExactly(List.of(ForcedPods.of(new RankId("worker", lost))));
        assertThat(effects)
                .filteredOn(Effect.Answer.class::isInstance)
                .extracting(effect -> ((Effect.Answer) effect).outcome())
                .containsExactly(Outcome.ACCEPTED);
    }

    @Test
    void nothingIsForcedOnNodesThatAreHeardOf() {
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), new Request("ml/a", "r-1")));
        var answer = play.takeOne(Effect.Answer.class);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message()).contains("nothing on a node that is not heard of");
    }

    @Test
    void runningJobGivesASilentNodeUpAtSomebodysWord() {
        silence();
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), null));
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.RESTARTING);
        assertThat(effects)
                .filteredOn(StopPlan.class::isInstance)
                .extracting(effect -> ((StopPlan) effect).stop().forced())
                .last()
                .isEqualTo(List.of(ForcedPods.of(new RankId("worker", lost))));
    }

    @Test
    void cancelOfAJobThatADeadNodeHoldsWaitsForTheNode() {
        lose();
        one.gone(1 - lost);
        play.takeEffects();
        play.on(Fixtures.cancel(a, "", null));
        assertThat(play.takePhases(a)).containsExactly(Phase.STOPPING);
        one.gone(lost);
        one.applied(false);
        one.applied(true);
        assertThat(play.takePhases(a)).containsExactly(Phase.CANCELLED);
    }

    @Test
    void whatANodeHeldThatIsNoMoreIsForced() {
        play.on(new Event.NodeReleased(WATCHER, "node-1"));
        play.restart();
        play.on(Fixtures.cancel(a, "", null));
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), null));
        assertThat(play.takeOne(StopPlan.class).stop().forced())
                .containsExactly(ForcedPods.of(new RankId("worker", lost)));
    }

    @Test
    void nothingIsForcedOnANodeThatIsAnotherPoolsNow() {
        play.on(new Event.NodeReleased(WATCHER, "node-1", true));
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), new Request("ml/a", "r-1")));
        assertThat(play.takeOne(Effect.Answer.class).outcome()).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void nodeThatCameBackIsNoLongerGone() {
        play.on(new Event.NodeReleased(WATCHER, "node-1"));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), new Request("ml/a", "r-1")));
        assertThat(play.takeOne(Effect.Answer.class).outcome()).isEqualTo(Outcome.REFUSED);
    }

    /** As where another pool has it under a watcher that knows of no earlier one. */
    @Test
    void podsRunOnWhereASnapshotLacksTheirNode() {
        play.on(new Event.SnapshotBegin(WATCHER, "another"));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 4)));
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.on(new Event.SnapshotEnd(WATCHER, "another"));
        play.passHeard(AFTER.multipliedBy(2), 0);
        assertThat(play.takePhases(a)).isEmpty();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    private void silence() {
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-1", 4)));
    }

    private void lose() {
        silence();
        play.passHeard(AFTER, 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.RESTARTING);
    }
}
