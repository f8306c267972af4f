package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.HookedJob.DRAIN;
import static dev.muster.coordinator.core.fixtures.HookedJob.MINUTE;
import static dev.muster.coordinator.core.fixtures.HookedJob.TELL;
import static dev.muster.coordinator.core.fixtures.HookedJob.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.HookedJob;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.Hooked;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling.Stage;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands of scale whose end rests on a hook. */
class PoolHooksTest {
    private final HookedJob job = new HookedJob();
    private final Play play = job.play;
    private final JobId a = job.a;
    private final OneJob one = job.one;
    private final List<RunPlan> plans = job.plans;

    @Test
    void growthRunsItsHookOnceAllRunsAndSucceedsWithIt() {
        one.runs(elastic("default", 2, 3, 6));
        assertThat(job.ask(new ScaleOut("worker", 1, terms(true))).message())
                .isEqualTo("worker goes from 3 to 4; its hook is run then");
        assertThat(job.planned()).isNull();
        one.seeNewest(3, PodPhase.RUNNING, null);
        var hook = job.ordered();
        assertThat(hook.hook()).isEqualTo(TELL);
        assertThat(hook.like()).isEqualTo(new RankId("worker", 0));
        assertThat(hook.node()).isEqualTo(one.rank(0).making().node());
        assertThat(hook.added()).containsExactly(3);
        assertThat(hook.removed()).isEmpty();
        assertThat(hook.number()).isEqualTo(1);
        assertThat(job.stage()).isEqualTo(Stage.SCALING);
        job.see(PodPhase.RUNNING, hook.incarnation(), null);
        assertThat(job.stage()).isEqualTo(Stage.SCALING);
        job.ends(0, "told");
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(job.scaling().hook()).isEqualTo(new Hooked(1, true, 0, "", "told"));
        assertThat(job.planned()).isNull();
        assertThat(play.rows.get(Row.Table.HOOK)).isEmpty();
    }

    @Test
    void whoLeavesHasItsTimeOnlyOnceTheHookHasEnded() {
        job.shrink(true);
        var hook = job.ordered();
        assertThat(hook.removed()).containsExactly(3);
        assertThat(one.rank(3).isUntold()).isTrue();
        play.passHeard(MINUTE.minusSeconds(1), 0);
        job.ends(0, "");
        assertThat(one.rank(3).tenure().leaves()).isEqualTo(play.now().plus(DRAIN));
        assertThat(job.stage()).isEqualTo(Stage.SCALING);
        play.pass(DRAIN);
        job.keep(play.takeEffects());
        assertThat(plans.getLast().pods()).hasSize(3);
        one.gone(3);
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
    }

    @Test
    void commandWaitsForItsHookThoughWhoLeavesIsGoneBefore() {
        job.shrink(true);
        one.gone(3);
        assertThat(job.stage()).isEqualTo(Stage.SCALING);
        job.ends(0, "");
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
    }

    @Test
    void laterCommandEndsTheHookOfTheOneBefore() {
        job.shrink(true);
        job.ordered();
        job.ask(new SetReplicas("worker", 4, Terms.PLAIN));
        assertThat(job.planned()).isNull();
        assertThat(one.rank(3).tenure().leaves()).isNotNull().isBefore(play.now().plus(DRAIN));
        assertThat(play.rows.get(Row.Table.HOOK)).isEmpty();
    }

    @Test
    void jobThatIsStoppedStartsItsHookOverWithoutATry() {
        job.grow(true);
        job.ordered();
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        assertThat(job.scaling().hook()).isNull();
        assertThat(job.stage()).isEqualTo(Stage.WAITING);
        job.stops();
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        assertThat(job.planned()).isNull();
        for (int i = 0; i < 4; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        assertThat(job.ordered().number()).isEqualTo(1);
        job.ends(0, "");
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
    }

    /** It starts as large as it was, and what came by the command is the command's still. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void gangThatRestartsInTheMiddleOfAGrowthKnowsWhatItBrought(boolean atomic) {
        one.runs(failing(policy(FailurePolicy.Otherwise.GANG), elastic("default", 2, 3, 6)));
        job.ask(new ScaleOut("worker", 2, terms(atomic)));
        one.seeNewest(3, PodPhase.RUNNING, null);
        one.seeNewest(4, PodPhase.RUNNING, null);
        assertThat(job.ordered().added()).containsExactly(3, 4);
        one.seeNewest(0, PodPhase.FAILED, 42);
        play.passHeard(MINUTE, 0);
        job.stops();
        play.restart();
        play.passHeard(MINUTE, 0);
        for (int i = 0; i < 5; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        assertThat(play.job(a).fences().attempt()).isEqualTo(2);
        assertThat(job.ordered().added()).containsExactly(3, 4);
        var charged = play.job(a).past().budgets();
        one.seeNewest(4, PodPhase.FAILED, 42);
        play.passHeard(MINUTE, 0);
        assertThat(play.job(a).past().budgets()).isEqualTo(charged);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(job.members()).hasSize(atomic ? 3 : 4);
    }

    @Test
    void jobThatEndsCancelsItsCommandWithTheHook() {
        job.grow(true);
        job.ordered();
        play.on(Fixtures.cancel(a, "", null));
        job.stops();
        assertThat(play.take(Effect.Scaled.class).getLast().scaling().stage())
                .isEqualTo(Stage.CANCELLED);
        assertThat(play.rows.get(Row.Table.HOOK)).isEmpty();
    }

    @Test
    void whatFailsOfAGrowthEndsItsHook() {
        job.grow(true);
        job.ordered();
        one.seeNewest(3, PodPhase.FAILED, 1);
        assertThat(job.scaling().reason()).isEqualTo("Error");
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(job.planned()).isNull();
    }

    @Test
    void hookIsNotRunWhereNobodyIsToldAnything() {
        one.runs(elastic("default", 2, 3, 6));
        assertThat(job.ask(new SetReplicas("worker", 3, terms(true))).message())
                .isEqualTo("worker has its 3 already");
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(job.planned()).isNull();
    }

    @Test
    void hookIsNotRunWhereWhoLeavesWaitsForAnothersTurn() {
        var worker = Fixtures.atLeast(1, Fixtures.role("worker", 2, 1));
        var spec =
                elastic(
                        1,
                        4,
                        Fixtures.spec(
                                "default",
                                Fixtures.role("master", 1, 1),
                                Fixtures.after("master", Milestone.RUNNING, worker)));
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        assertThat(job.members()).containsExactly("master-0", "worker-0", "worker-1");
        assertThat(job.ask(new ScaleIn("worker", 1, new TreeSet<>(), terms(true))).message())
                .isEqualTo("worker goes from 2 to 1: worker-1 leaves");
        assertThat(job.planned()).isNull();
        assertThat(play.rows.get(Row.Table.HOOK)).isNull();
        assertThat(job.members()).containsExactly("master-0", "worker-0");
        one.see("master", PodPhase.RUNNING, null);
        one.seeNewest(0, PodPhase.RUNNING, null);
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(job.planned()).isNull();
    }

    @Test
    void dryRunSaysThatTheHookWouldBeRun() {
        one.runs(elastic("default", 2, 3, 6));
        var dry = new Terms(Duration.ZERO, true, DRAIN, true, TELL);
        assertThat(job.ask(new ScaleOut("worker", 1, dry)).message())
                .isEqualTo("dry run: worker goes from 3 to 4; its hook is run then");
        assertThat(play.rows.get(Row.Table.HOOK)).isNull();
    }

    @Test
    void roleOfTheHooksNameIsNotTakenForOne() {
        var spec =
                elastic(
                        2,
                        6,
                        Fixtures.spec(
                                "default",
                                Fixtures.atLeast(2, Fixtures.role("worker", 2, 1)),
                                Fixtures.role("hook", 1, 1)));
        play.on(new Event.Submitted(a, spec, null));
        assertThat(job.ask(new ScaleOut("worker", 1, terms(true))).message())
                .isEqualTo("it has a role hook, which a hook's pod would be taken for");
    }

    @Test
    void poolThatIsMadeAnewFromItsRowsKnowsItsHooks() {
        job.shrink(true);
        job.see(PodPhase.RUNNING, job.ordered().incarnation(), null);
        play.restart();
        job.ends(2, "no");
        play.restart();
        play.pass(Duration.ofSeconds(5));
        job.ends(0, "");
        play.pass(DRAIN);
        one.gone(3);
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
    }

    @Test
    void jobSavesBeforeTheHookOfWhoLeavesIsRun() {
        one.runs(CheckpointJobs.byFile(elastic("default", 2, 4, 6)));
        var asking = new Asking(play, a);
        job.ask(new ScaleIn("worker", 1, new TreeSet<>(), terms(true)));
        assertThat(job.planned()).isNull();
        assertThat(job.stage()).isEqualTo(Stage.WAITING);
        asking.answer(true);
        assertThat(job.ordered().removed()).containsExactly(3);
        assertThat(one.rank(3).isUntold()).isTrue();
        job.ends(0, "");
        assertThat(one.rank(3).tenure().leaves()).isEqualTo(play.now().plus(DRAIN));
        one.gone(3);
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
    }

    /** Whoever does not run when its role begins to end leaves at once, and is the command's. */
    @Test
    void hookIsToldAlsoOfWhoLeavesSoonerThanTheJobSaves() {
        play.on(new Event.Submitted(a, CheckpointJobs.byFile(elastic("default", 2, 4, 6)), null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        one.seeNewest(3, PodPhase.PENDING, null);
        var asking = new Asking(play, a);
        job.ask(new ScaleIn("worker", 2, new TreeSet<>(), terms(true)));
        one.seeNewest(0, PodPhase.SUCCEEDED, 0);
        assertThat(job.planned()).isNull();
        assertThat(one.rank(3).isUntold()).isFalse();
        asking.answer(true);
        assertThat(job.ordered().removed()).containsExactly(2, 3);
    }

    @Test
    void hookIsNotRunWhereTheJobDoesNotSave() {
        one.runs(CheckpointJobs.byFile(elastic("default", 2, 4, 6)));
        var asking = new Asking(play, a);
        job.ask(new ScaleIn("worker", 1, new TreeSet<>(), terms(true)));
        asking.answer(false);
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(job.scaling().reason()).isEqualTo("CheckpointFailed");
        assertThat(job.members()).hasSize(4);
        assertThat(job.planned()).isNull();
        assertThat(play.rows.get(Row.Table.HOOK)).isEmpty();
    }

    @Test
    void laterCommandTakesThePlaceOfOneThatWaitsForTheJobToSave() {
        one.runs(CheckpointJobs.byFile(elastic("default", 2, 4, 6)));
        job.ask(new ScaleIn("worker", 1, new TreeSet<>(), terms(true)));
        job.ask(new SetReplicas("worker", 4, Terms.PLAIN));
        assertThat(one.rank(3).isLeaving()).isFalse();
        assertThat(job.planned()).isNull();
    }

    @Test
    void hookOfASmallerShrinkThanTheOneThatWaitsForTheSaveIsToldWhoLeaves() {
        one.runs(CheckpointJobs.byFile(elastic("default", 2, 6, 6)));
        var asking = new Asking(play, a);
        job.ask(new ScaleIn("worker", 3, new TreeSet<>(), Terms.PLAIN));
        job.ask(new SetReplicas("worker", 4, terms(true)));
        asking.answer(true);
        var hook = job.ordered();
        assertThat(hook.removed()).containsExactly(4, 5);
        assertThat(hook.scaling().from()).isEqualTo(6);
        assertThat(one.rank(5).isUntold()).isTrue();
        job.ends(0, "");
        assertThat(one.rank(5).tenure().leaves()).isEqualTo(play.now().plus(DRAIN));
    }

    @Test
    void launchersHostsAreThoseThatTheHookIsToldOf() {
        play.on(new Event.Submitted(a, ElasticJobs.launched("default", 2, 3, 6), null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        job.planned();
        job.ask(new ScaleOut("worker", 1, terms(true)));
        job.planned();
        one.seeNewest(3, PodPhase.RUNNING, null);
        assertThat(job.ordered().like()).isEqualTo(new RankId("launcher", 0));
        assertThat(job.hosts()).hasSize(4);
        assertThat(plans.getLast().hosts()).isEqualTo(plans.getLast().version());
        job.ends(0, "");
        job.ask(new ScaleIn("worker", 1, new TreeSet<>(), terms(true)));
        assertThat(job.ordered().removed()).containsExactly(3);
        assertThat(job.hosts()).hasSize(3);
        assertThat(job.drains()).isEmpty();
        job.ends(0, "");
        assertThat(job.planned()).isNull();
        assertThat(job.drains()).hasSize(1);
    }
}
