package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.TIMEOUT;
import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.effects.StateReason;
import dev.muster.coordinator.core.failures.Failures;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Checkpoint.Stage;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.nodes.GoingNodes;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are asked to save before they are stopped. */
class PoolSavingTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);
    private final OneJob one = new OneJob(play, a);
    private final Asking asking = new Asking(play, a);

    @Test
    void suspendedJobKeepsItsPodsUntilItHasSaved() {
        one.runs(byFile(workers(2, 1)));
        suspend();
        asking.isAsked("a night off");
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.STOPPING);
        assertThat(StateReason.of(play.job(a).state()).reason()).isEqualTo("Suspended");
        play.pass(Duration.ofSeconds(1));
        var effects = play.takeEffects();
        assertThat(effects).noneMatch(StopPlan.class::isInstance);
        assertThat(effects)
                .filteredOn(RunPlan.class::isInstance)
                .singleElement()
                .extracting(plan -> ((RunPlan) plan).ask())
                .isEqualTo(asking.last().id());
        play.restart();
        asking.answer(true);
        asking.endedAs(Stage.SAVED);
        assertThat(play.takeOne(StopPlan.class).stop().grace()).isEqualTo(Duration.ofSeconds(7));
        goes();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Suspended.class);
        play.on(change(new Change.Resume()));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(a).fences().attempt()).isEqualTo(2);
    }

    @Test
    void jobIsStoppedAllTheSameWhereItCannotSaveOrDoesNotAnswer() {
        one.runs(byFile(workers(2, 1)));
        suspend();
        play.takeEffects();
        asking.answer(false);
        asking.endedAs(Stage.FAILED);
        assertThat(play.take(StopPlan.class)).hasSize(1);
        goes();
        var late = new OneJob(play, b);
        late.runs(byFile(workers(2, 1)));
        play.on(new Event.ChangeAsked(b, new Change.Suspend(null, ""), null));
        play.pass(TIMEOUT.minusSeconds(1));
        assertThat(play.take(StopPlan.class)).isEmpty();
        play.pass(Duration.ofSeconds(1));
        new Asking(play, b).endedAs(Stage.TIMED_OUT);
        assertThat(play.take(StopPlan.class)).hasSize(1);
    }

    @Test
    void whoNeverRanOrHasNoSignalIsStoppedAtOnce() {
        play.on(new Event.Submitted(a, byFile(workers(2, 1)), null));
        one.applied(false);
        suspend();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        assertThat(play.job(a).past().checkpoint()).isNull();
        new OneJob(play, b).runs(workers(2, 1));
        play.on(new Event.ChangeAsked(b, new Change.Suspend(null, ""), null));
        assertThat(play.job(b).state()).isInstanceOf(JobState.Stopping.class);
    }

    @Test
    void cancelDoesNotWait() {
        one.runs(byFile(workers(2, 1)));
        suspend();
        play.on(Fixtures.cancel(a, "", null));
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        goes();
        assertThat(play.take(Effect.Moved.class))
                .extracting(Effect.Moved::to)
                .endsWith(Phase.CANCELLED);
    }

    @Test
    void jobOfWhichARankFailsIsNotWaitedForAndIsChargedNothing() {
        one.runs(byFile(workers(2, 1)));
        suspend();
        one.fail(1, 1);
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        assertThat(play.job(a).past().budgets()).isEqualTo(Budgets.UNTOUCHED);
    }

    @Test
    void jobOfWhichARankHasFailedBeforeIsNotWaitedFor() {
        one.runs(byFile(workers(2, 1)));
        one.fail(1, 1);
        suspend();
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }

    @Test
    void jobThatSucceedsMeanwhileHasSucceeded() {
        one.runs(byFile(workers(2, 1)));
        suspend();
        one.succeed(0);
        asking.isAsked("a night off");
        one.succeed(1);
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUCCEEDED);
    }

    /** Whose failure is ignored has ended like the others, also while they save. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jobThatSucceedsMeanwhileBesideAnIgnoredRankHasSucceeded(boolean failsFirst) {
        one.runs(ignoring(workers(2, 1)));
        suspend();
        if (failsFirst) {
            one.fail(0, 1);
            one.succeed(1);
        } else {
            one.succeed(1);
            one.fail(0, 1);
        }
        asking.isAsked("a night off");
        play.restart();
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUCCEEDED);
    }

    /** It is not its own after all: who is left can hardly save. */
    @Test
    void jobOfWhichASilentNodeIsToBlameIsNotWaitedForAndIsChargedNothing() {
        one.runs(ignoring(workers(2, 3)));
        suspend();
        one.fail(1, 1);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-0", 4)));
        play.passHeard(Failures.NODE_SETTLE.minusSeconds(1), 0);
        asking.isAsked("a night off");
        play.passHeard(Duration.ofSeconds(1), 0);
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        assertThat(play.job(a).past().budgets()).isEqualTo(Budgets.UNTOUCHED);
    }

    private static JobSpec ignoring(JobSpec spec) {
        var on1 = List.of(new FailurePolicy.ExitCodes(1, 1));
        var rule = new FailurePolicy.Rule(on1, List.of(), null, new Action.Ignore());
        return byFile(Fixtures.failing(Fixtures.policy(FailurePolicy.Otherwise.GANG, rule), spec));
    }

    @Test
    void jobThatIsResumedMeanwhileSavesAndComesBackInItsTurn() {
        one.runs(byFile(workers(2, 1)));
        suspend();
        play.on(change(new Change.Resume()));
        asking.isAsked("a night off");
        asking.answer(true);
        goes();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
    }

    /** What was asked of it again has nothing to do with whether it can save. */
    @Test
    void whoMayBeIgnoredKeepsNobodyFromSavingThoughTheJobIsResumedMeanwhile() {
        one.runs(ignoring(workers(2, 1)));
        suspend();
        one.fail(0, 1);
        play.on(change(new Change.Resume()));
        play.on(change(new Change.Suspend(Duration.ofSeconds(3), "a night off")));
        asking.isAsked("a night off");
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        asking.isAsked("a night off");
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    @Test
    void jobThatSavesIsGivenThePriorityThatItComesBackWith() {
        one.runs(byFile(workers(2, 1)));
        suspend();
        play.on(change(new Change.Prioritise(-1)));
        play.on(change(new Change.Resume()));
        asking.isAsked("a night off");
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        assertThat(play.job(a).spec().place().priority()).isEqualTo(-1);
        asking.answer(true);
        goes();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void holderWaitsUntilTheGangThatMakesRoomHasSaved() {
        var rules = new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, Duration.ZERO, 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
        one.runs(byFile(workers(2, 4)));
        play.on(new Event.Submitted(b, Fixtures.at(5, workers(2, 3)), null));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(5), 0);
        asking.isAsked("it makes room for ml/b");
        assertThat(play.job(a).past().preempted()).isEqualTo(1);
        play.restart();
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(a).past().preempted()).isEqualTo(1);
        assertThat(play.job(b).state()).isInstanceOf(JobState.Queued.class);
        asking.answer(true);
        goes();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Queued.class);
        assertThat(play.job(b).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void roomOfWhoStillSavesIsForeseenForTheNextHolder() {
        var rules = new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, Duration.ZERO, 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
        one.runs(byFile(workers(1, 4)));
        play.pass(Duration.ofSeconds(1));
        var other = new OneJob(play, b);
        other.runs(byFile(workers(1, 4)));
        var c = job("c", 3);
        play.on(new Event.Submitted(c, Fixtures.at(5, workers(1, 4)), null));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(5), 0);
        assertThat(play.job(b).state()).isInstanceOf(JobState.Saving.class);
        play.on(Fixtures.cancel(c, "", null));
        var d = job("d", 4);
        var early = Fixtures.at(5, workers(1, 4));
        play.on(new Event.QueuePut("default", impatient(), null));
        play.on(new Event.Submitted(d, early, null));
        play.passHeard(Duration.ofSeconds(30), 0);
        assertThat(play.rows.get(Row.Table.HOLD).values())
                .singleElement()
                .satisfies(row -> {
                    assertThat(((Hold) row).job()).isEqualTo(d);
                    assertThat(((Hold) row).preempts()).isTrue();
                });
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().preempted()).isZero();
        play.restart();
        new Asking(play, b).answer(true);
        other.applied(false);
        other.gone(0);
        other.applied(true);
        assertThat(play.job(d).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    private static QueueSpec impatient() {
        var spec = QueueSpecs.QUEUE;
        var order = spec.order();
        return new QueueSpec(
                spec.weight(),
                spec.doors(),
                new QueueSpec.Order(
                        order.kind(),
                        order.defaultPriority(),
                        order.backfill(),
                        Duration.ofSeconds(1)),
                spec.quota());
    }

    @Test
    void statusSaysTheNewestReasonToStop() {
        one.runs(byFile(workers(2, 1)));
        suspend();
        play.takeEffects();
        play.on(change(new Change.Resume()));
        assertThat(play.take(Effect.Status.class))
                .last()
                .extracting(status -> StateReason.of(status.job().state()).message())
                .isEqualTo("it was resumed");
    }

    @Test
    void gangOfFixedSizeSavesAndStartsElsewhereWithItsPlace() {
        one.runs(byFile(workers(3, 1)));
        long ticket = play.job(a).ticket();
        var node = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(node, 4)));
        asking.isAsked("its node %s is about to go".formatted(node));
        play.on(new Event.Submitted(b, workers(4, 1), null));
        asking.answer(true);
        goes();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Queued.class);
        assertThat(play.take(Effect.TakenBack.class))
                .extracting(taken -> taken.reason().code())
                .containsExactly(WaitReason.Code.NODE_GOING);
        play.on(Fixtures.cancel(b, "", null));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), false, List.of()));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), true, List.of()));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        assertThat(one.rank(1).making().node()).isNotEqualTo(node);
        assertThat(play.job(a).ticket()).isEqualTo(ticket);
        assertThat(play.job(a).past().budgets()).isEqualTo(Budgets.UNTOUCHED);
        assertThat(play.job(a).past().preempted()).isZero();
    }

    @Test
    void gangThatCouldStartNowhereElseStays() {
        one.runs(byFile(workers(2, 3)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(one.rank(1).making().node(), 4)));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().checkpoint()).isNull();
    }

    @Test
    void gangThatStayedGoesWhenThereIsSomewhereElse() {
        one.runs(byFile(workers(2, 3)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(one.rank(1).making().node(), 4)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-8", 2)));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-9", 4)));
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    @Test
    void nodeThatBecomesFitForItStepByStepIsSomewhereElse() {
        one.runs(byFile(workers(2, 3)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(one.rank(1).making().node(), 4)));
        play.on(new Event.NodeSeen(WATCHER, Nodes.tainted("node-9", 4, "being-made")));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-9", 4)));
        play.passHeard(GoingNodes.CHECK_INTERVAL, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    @Test
    void nodeThatWentWhileTheGangStartedIsLeftOnceItRuns() {
        play.on(new Event.Submitted(a, byFile(workers(2, 1)), null));
        one.applied(false);
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(one.rank(1).making().node(), 4)));
        assertThat(play.job(a).past().checkpoint()).isNull();
        one.see(0, PodPhase.RUNNING, null);
        one.see(1, PodPhase.RUNNING, null);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    private void suspend() {
        play.on(change(new Change.Suspend(Duration.ofSeconds(7), "a night off")));
    }

    private Event change(Change change) {
        return new Event.ChangeAsked(a, change, null);
    }

    private void goes() {
        one.applied(false);
        for (var rank : asking.ranks()) {
            one.gone(rank.id().index());
        }
        one.applied(true);
    }
}
