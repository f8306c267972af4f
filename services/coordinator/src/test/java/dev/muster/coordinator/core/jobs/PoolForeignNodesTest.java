package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.AnotherWork;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Selector;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.simulation.Chance;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gang of two, one on each node; the second node moves to another pool, and dies there. */
class PoolForeignNodesTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private int left;
    private int requests;

    @BeforeEach
    void oneOfItsNodesMoves() {
        var success = new JobSpec.Success.Any();
        one.runs(byFile(AnotherWork.of(workers(2, 4), work -> work.success = success)));
        left = one.rank(0).making().node().equals("node-1") ? 0 : 1;
        play.on(new Event.NodeReleased(WATCHER, "node-1", true));
    }

    @Test
    void whatIsLeftThereIsToldAndForcedAtSomebodysWord() {
        cancel();
        one.gone(1 - left);
        play.restart();
        isTold();
        var effects = force();
        assertThat(outcomes(effects)).containsExactly(Outcome.ACCEPTED);
        assertThat(forced(effects)).containsExactly(ForcedPods.of(new RankId("worker", left)));
        one.gone(left);
        assertThat(forced(play.takeEffects())).isEmpty();
        one.applied(false);
        one.applied(true);
        assertThat(play.takePhases(a)).containsExactly(Phase.CANCELLED);
    }

    @Test
    void soIsWhatAJobHasThereThatHasEndedAndKeepsTheOther() {
        one.succeed(1 - left);
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUCCEEDED);
        play.restart();
        isTold();
        var effects = force();
        assertThat(outcomes(effects)).containsExactly(Outcome.ACCEPTED);
        assertThat(forced(effects)).containsExactly(ForcedPods.of(new RankId("worker", left)));
        one.gone(left);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.explain(a).orElseThrow().reasons()).isEmpty();
        assertThat(waits()).isNull();
    }

    @Test
    void soIsWhatAJobHasThereThatHasSavedBeforeItStops() {
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        assertThat(waits()).isNull();
        play.passHeard(CheckpointJobs.TIMEOUT, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
        play.restart();
        isTold();
    }

    /** What it keeps is to go, too, once somebody comes under its name. */
    @Test
    void soIsWhatItKeptThereOnceThatIsToGo() {
        one.succeed(left);
        one.gone(1 - left);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(waits()).isNull();
        play.on(new Event.Submitted(job("a", 2), workers(1, 4), null));
        play.restart();
        isTold();
    }

    @Test
    void whatIsOnItsOwnDeadNodesIsForcedBefore() {
        cancel();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready("node-0", 4)));
        assertThat(forced(force())).containsExactly(ForcedPods.of(new RankId("worker", 1 - left)));
        one.gone(1 - left);
        assertThat(forced(force())).containsExactly(ForcedPods.of(new RankId("worker", left)));
    }

    @Test
    void wordAboutManyJobsIsNotAboutOtherPoolsNodes() {
        cancel();
        var all = new Selector(null, null, new TreeMap<>());
        play.takeEffects();
        play.on(new Event.BulkAsked(all, new Change.ForceDelete(), null));
        assertThat(forced(play.takeEffects())).isEmpty();
    }

    /** By explain and by its status. */
    private void isTold() {
        var message = "the pod of worker-%d is left on node-1, which is not this pool's: %s";
        assertThat(play.explain(a).orElseThrow().reasons())
                .singleElement()
                .returns(WaitReason.Code.NODE_LOST, WaitReason::code)
                .returns(message.formatted(left, "it may be dead"), WaitReason::message);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(waits())
                .isNotNull()
                .returns(WaitReason.Code.NODE_LOST, WaitReason::code)
                .returns(message.formatted(left, "it may be dead"), WaitReason::message);
    }

    private @Nullable WaitReason waits() {
        return play.take(Effect.Status.class).stream()
                .filter(status -> status.job().id().equals(a))
                .toList()
                .getLast()
                .word()
                .waits();
    }

    private void cancel() {
        play.on(Fixtures.cancel(a, "", null));
        one.applied(false);
    }

    private List<Effect> force() {
        play.takeEffects();
        play.on(
                new Event.ChangeAsked(
                        a, new Change.ForceDelete(), new Request("ml/a", "r-" + requests++)));
        return play.takeEffects();
    }

    private static List<Outcome> outcomes(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.Answer.class::isInstance)
                .map(effect -> ((Effect.Answer) effect).outcome())
                .toList();
    }

    /** By the newest plan; none where there is no new one. */
    private static List<ForcedPods> forced(List<Effect> effects) {
        var plans = effects.stream().filter(StopPlan.class::isInstance).toList();
        return plans.isEmpty() ? List.of() : ((StopPlan) plans.getLast()).stop().forced();
    }
}
