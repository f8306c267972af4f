package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Scaling.Stage;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that leave a job which goes on, and whose pods are on nodes that are not heard of. */
class PoolLeftBehindTest {
    private static final Duration AFTER = Duration.ofMinutes(2);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Rule FAIL =
            new Rule(List.of(new ExitCodes(1, 1)), List.of(), null, new Action.Fail(""));
    private static final Rule RESTART =
            new Rule(List.of(new ExitCodes(2, 2)), List.of(), null, new Action.RestartGang());
    private static final RankId LAST = new RankId("worker", 2);

    private final Play play = Play.withNodes(1, 1, 1);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private int requests;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoIsLostIsForcedWhereItsPolicySaysSo(boolean silentBefore) {
        one.runs(lost(true));
        if (silentBefore) {
            silence();
        }
        scaleIn(Duration.ZERO);
        if (!silentBefore) {
            silence();
        }
        play.passHeard(AFTER.minusSeconds(1), 0);
        assertThat(plans()).isNotEmpty().allMatch(plan -> plan.forced().isEmpty());
        assertThat(stage()).isEqualTo(Stage.SCALING);
        play.restart();
        play.passHeard(Duration.ofSeconds(2), 0);
        assertThat(plans().getLast().forced()).containsExactly(ForcedPods.of(LAST));
        assertThat(stage()).isEqualTo(Stage.SCALING);
        one.gone(2);
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
        play.on(new Event.PodSeen(WATCHER, a, late()));
        play.passHeard(Jobs.REPAIR_INTERVAL.plusSeconds(1), 0);
        assertThat(plans().getLast().forced()).isEmpty();
    }

    /** His node was given up before: nothing else would say so once he leaves. */
    @Test
    void soIsWhoWasLostBeforeHeLeaves() {
        one.runs(lost(true));
        silence();
        play.passHeard(AFTER.plusMinutes(2), 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        scaleIn(Duration.ZERO);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(plans().getLast().forced()).containsExactly(ForcedPods.of(LAST));
        assertThat(stage()).isEqualTo(Stage.SCALING);
        one.gone(2);
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
    }

    /** He is told to leave while all are to go, and is not forced by that. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void soIsHeOnceHeIsAllThatIsLeftOfAJobWhosePodsAreToGo(boolean restarts) {
        one.runs(lost(true, AFTER, RESTART));
        if (restarts) {
            one.fail(0, 2);
            play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        } else {
            var grace = Duration.ofMinutes(10);
            play.on(new Event.ChangeAsked(a, new Change.Suspend(grace, ""), request()));
        }
        silence();
        assertThat(play.job(a).state())
                .isInstanceOf(restarts ? JobState.Restarting.class : JobState.Stopping.class);
        play.passHeard(AFTER.plusSeconds(10), 0);
        scaleIn(Duration.ZERO);
        assertThat(one.rank(2).isLeaving()).isTrue();
        one.gone(0);
        play.restart();
        play.takeEffects();
        one.gone(1);
        assertThat(play.takeOne(Effect.StopPlan.class).stop().forced())
                .containsExactly(ForcedPods.of(LAST));
    }

    @Test
    void whoIsLostKeepsNoCommandWaitingAndItIsSaidWhatIsLeft() {
        one.runs(lost(false));
        silence();
        scaleIn(Duration.ZERO);
        assertThat(why()).startsWith("worker-2 leaves, and its pod is left on " + node());
        play.passHeard(AFTER.plusSeconds(1), 0);
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(scaling().message())
                .endsWith("; worker-2 is left on %s, which is not heard of".formatted(node()));
        assertThat(play.take(Effect.RunPlan.class)).allMatch(plan -> plan.forced().isEmpty());
        assertThat(why()).startsWith("worker-2 leaves, and its pod is left on " + node());
        play.restart();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node(), 1)));
        assertThat(why()).isEmpty();
        one.gone(2);
        assertThat(one.rank(2)).isNull();
    }

    @Test
    void whoLeavesSinceItsNodeGoesIsNamed() {
        one.runs(lost(false));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(node(), 1)));
        assertThat(one.rank(2).isLeaving()).isTrue();
        silence();
        isNamed();
    }

    @Test
    void soIsWhoLeavesSinceItWasLostWithItsNode() {
        one.runs(lost(false));
        isLost();
        isNamed();
    }

    @Test
    void soIsHeWhileHisJobSaves() {
        one.runs(byFile(lost(false)));
        isLost();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), request()));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        isNamed();
    }

    /** Its other pods are to go now, and are no more in anybody's way. */
    @Test
    void hisJobSaysSoNoMoreOnceItStops() {
        one.runs(byFile(lost(false)));
        isLost();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), request()));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(waits()).isNotNull();
        play.passHeard(CheckpointJobs.TIMEOUT, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        assertThat(why()).isEmpty();
        assertThat(waits()).isNull();
    }

    private void isLost() {
        silence();
        play.passHeard(AFTER.plus(FailurePolicy.PLAIN.settle()).plusMinutes(1), 0);
        assertThat(one.rank(2).isLeaving()).isTrue();
    }

    /** By its job's status and by explain, as long as its pod may be there. */
    private void isNamed() {
        play.restart();
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(why()).startsWith("worker-2 leaves, and its pod is left on " + node());
        assertThat(waits()).isNotNull().returns(why(), WaitReason::message);
        one.gone(2);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(why()).isEmpty();
        assertThat(waits()).isNull();
    }

    @Test
    void itsStatusSaysSoAsSoonAsItsDrainIsOver() {
        one.runs(lost(false));
        scaleIn(MINUTE);
        silence();
        play.passHeard(MINUTE.minusSeconds(1), 0);
        assertThat(why()).isEmpty();
        assertThat(waits()).isNull();
        play.restart();
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(why()).startsWith("worker-2 leaves, and its pod is left on " + node());
        assertThat(waits()).isNotNull().returns(why(), WaitReason::message);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wordOfSomebodyForcesAtOnceWhateverTimeItHad(boolean drains) {
        one.runs(lost(false));
        scaleIn(drains ? HOUR : Duration.ZERO);
        silence();
        play.takeEffects();
        forceDelete();
        assertThat(play.takeOne(Effect.Answer.class).message()).isEqualTo("1 pods are forced");
        play.pass(Jobs.PUBLISH_DELAY);
        var plan = plans().getLast();
        assertThat(plan.forced()).containsExactly(ForcedPods.of(LAST));
        assertThat(plan.pods()).extracting(Effect.PlannedPod::rank).doesNotContain(LAST);
        one.gone(2);
        assertThat(stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void wordOfSomebodyHoldsAsLongAsTheNodeIsNotHeardOf() {
        one.runs(lost(false));
        scaleIn(Duration.ZERO);
        silence();
        forceDelete();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node(), 1)));
        play.takeEffects();
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(plans()).allMatch(plan -> plan.forced().isEmpty());
    }

    /** Its node was given up while it was none of the job's. */
    @Test
    void whoStaysAfterAllIsLostInItsTurn() {
        one.runs(lost(false));
        scaleIn(HOUR);
        silence();
        play.passHeard(AFTER.plusSeconds(1), 0);
        play.on(new Event.ChangeAsked(a, Change.Withdraw.ANY, request()));
        assertThat(one.rank(2).isLeaving()).isFalse();
        play.passHeard(AFTER.plusMinutes(3), 0);
        assertThat(play.ranks(a))
                .filteredOn(rank -> !rank.isLeaving())
                .noneMatch(rank -> rank.id().equals(LAST));
    }

    @Test
    void whoStaysAfterAllAndIsHeardOfFailsByWhatEndsItThen() {
        one.runs(lost(false, AFTER, FAIL));
        scaleIn(HOUR);
        silence();
        play.passHeard(AFTER.plusSeconds(1), 0);
        play.on(new Event.ChangeAsked(a, Change.Withdraw.ANY, request()));
        failsByItself();
    }

    @Test
    void soDoesWhoStaysSinceItsJobHasNotSaved() {
        one.runs(byFile(lost(false, MINUTE, FAIL)));
        scaleIn(Duration.ZERO);
        silence();
        play.passHeard(MINUTE.plusSeconds(1), 0);
        assertThat(one.rank(2).isLeaving()).isTrue();
        play.passHeard(CheckpointJobs.TIMEOUT.minus(MINUTE), 0);
        failsByItself();
    }

    @Test
    void soDoesWhoStaysSinceAHookFailed() {
        one.runs(lost(false, MINUTE, FAIL));
        var hook = new Hook(List.of("tell"), new TreeMap<>(), HOUR, 0);
        scaleIn(new Terms(Duration.ZERO, true, Duration.ZERO, false, hook));
        play.pass(Jobs.PUBLISH_DELAY);
        int incarnation = plans().getLast().hook().incarnation();
        silence();
        play.passHeard(MINUTE.plusSeconds(1), 0);
        assertThat(one.rank(2).isLeaving()).isTrue();
        var mark = new Event.PodMark(Hook.RANK, 1, incarnation, 1, "hook");
        var failed = Fixtures.pod(mark, one.nextVersion(), PodPhase.FAILED, "node-0", 2);
        play.on(new Event.PodSeen(WATCHER, a, failed));
        failsByItself();
    }

    private void failsByItself() {
        assertThat(one.rank(2).isLeaving()).isFalse();
        play.restart();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node(), 1)));
        one.fail(2, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.take(Effect.Moved.class).getLast()).returns(Phase.FAILED, Effect.Moved::to);
        assertThat(play.job(a).past().budgets().infrastructure()).isZero();
    }

    private static JobSpec lost(boolean force) {
        return lost(force, AFTER);
    }

    private static JobSpec lost(boolean force, Duration after, Rule... rules) {
        var policy = Fixtures.losing(after, force, Fixtures.policy(Otherwise.POD, rules));
        return Fixtures.failing(policy, elastic("default", 1, 3, 4));
    }

    private void scaleIn(Duration drain) {
        scaleIn(new Terms(Duration.ZERO, true, drain, false));
    }

    private void scaleIn(Terms terms) {
        var names = new TreeSet<>(List.of("worker-2"));
        play.on(new Event.ChangeAsked(a, new ScaleIn("worker", 0, names, terms), request()));
    }

    private void forceDelete() {
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), request()));
    }

    private Event.Request request() {
        return new Event.Request("ml/a", "r-" + requests++);
    }

    private void silence() {
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node(), 1)));
    }

    private String node() {
        return one.rank(2).making().node();
    }

    /** A pod that nobody ordered: the plan is published once more. */
    private Event.Pod late() {
        one.applied(false);
        var mark = Fixtures.mark("worker", 1, 99);
        return Fixtures.pod(mark, one.nextVersion(), PodPhase.RUNNING, "node-0");
    }

    private List<RunPlan> plans() {
        return play.take(RunPlan.class);
    }

    private String why() {
        return play.explain(a).orElseThrow().reasons().stream()
                .filter(reason -> reason.code() == WaitReason.Code.NODE_LOST)
                .map(WaitReason::message)
                .findFirst()
                .orElse("");
    }

    private @Nullable WaitReason waits() {
        return play.take(Effect.Status.class).getLast().word().waits();
    }

    private Scaling scaling() {
        return play.job(a).past().scaling();
    }

    private Stage stage() {
        return scaling().stage();
    }
}
