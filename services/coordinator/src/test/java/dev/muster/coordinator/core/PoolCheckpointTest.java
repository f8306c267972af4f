package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.CheckpointJobs.TIMEOUT;
import static dev.muster.coordinator.core.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.ElasticJobs.elastic;
import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.job;
import static dev.muster.coordinator.core.Planned.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Checkpoint.Stage;
import dev.muster.coordinator.core.model.CheckpointPolicy;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.state.Effect;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are asked to save before their size changes. */
class PoolCheckpointTest {
    private static final Terms DRAIN =
            new Terms(Duration.ZERO, true, Duration.ofSeconds(30), false);
    private static final Terms BEST_EFFORT = new Terms(Duration.ZERO, false, Duration.ZERO, false);

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);
    private final OneJob one = new OneJob(play, a);
    private final Asking asking = new Asking(play, a);
    private int requests;

    @Test
    void whoIsToLeaveStaysUntilItHasSavedAndThenHasItsDrain() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        scale(new ScaleIn("worker", 1, none(), DRAIN));
        asking.isAsked("worker goes from 3 to 2: worker-2 leaves");
        var asked = play.takeOne(RunPlan.class);
        assertThat(Asking.ranks(asked)).hasSize(3);
        assertThat(asked.ask()).isEqualTo(asking.last().id());
        assertThat(stage()).isEqualTo(Scaling.Stage.WAITING);
        play.restart();
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.take(RunPlan.class)).isEmpty();
        asking.answer(true);
        asking.endedAs(Stage.SAVED);
        var going = play.takeOne(RunPlan.class);
        assertThat(Asking.ranks(going)).hasSize(3);
        assertThat(going.ask()).isZero();
        assertThat(stage()).isEqualTo(Scaling.Stage.SCALING);
        play.pass(Duration.ofSeconds(30));
        assertThat(asking.planned()).containsExactly("worker-0", "worker-1");
        one.gone(2);
        assertThat(stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
    }

    @Test
    void jobThatIsAskedByItsEventsHasThemAndNothingInItsPlans() {
        var byEvent = new CheckpointPolicy(false, TIMEOUT);
        one.runs(CheckpointJobs.asked(byEvent, elastic("default", 1, 3, 6)));
        scale(new ScaleIn("worker", 1, none(), Terms.PLAIN));
        var effects = play.takeEffects();
        assertThat(effects)
                .filteredOn(Effect.CheckpointTold.class::isInstance)
                .singleElement()
                .extracting(effect -> ((Effect.CheckpointTold) effect).checkpoint())
                .isEqualTo(asking.last());
        assertThat(effects)
                .filteredOn(RunPlan.class::isInstance)
                .extracting(plan -> ((RunPlan) plan).ask())
                .containsOnly(0L);
        assertThat(effects)
                .filteredOn(Effect.Status.class::isInstance)
                .last()
                .extracting(status -> ((Effect.Status) status).job().past().checkpoint())
                .isEqualTo(asking.last());
    }

    @Test
    void answerToAnotherAskOrOfAnotherAttemptChangesNothing() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        asking.say(0, null, true);
        scale(new ScaleIn("worker", 1, none(), Terms.PLAIN));
        play.takeEffects();
        asking.say(asking.last().id() + 1, null, true);
        asking.say(asking.last().id(), 2, true);
        assertThat(play.takeEffects()).isEmpty();
        asking.isAsked("worker goes from 3 to 2: worker-2 leaves");
        asking.say(asking.last().id(), 1, true);
        asking.endedAs(Stage.SAVED);
        play.takeEffects();
        asking.answer(false);
        assertThat(play.takeEffects()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void commandFailsWhereTheJobDoesNotSaveAndNobodyLeaves(boolean answers) {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        scale(new ScaleIn("worker", 2, none(), Terms.PLAIN));
        play.takeEffects();
        if (answers) {
            asking.answer(false);
        } else {
            play.pass(TIMEOUT);
        }
        asking.endedAs(answers ? Stage.FAILED : Stage.TIMED_OUT);
        assertThat(scaling().stage()).isEqualTo(Scaling.Stage.FAILED);
        assertThat(scaling().reason())
                .isEqualTo(answers ? "CheckpointFailed" : "CheckpointTimedOut");
        assertThat(asking.planned()).hasSize(3);
        assertThat(asking.members()).hasSize(3);
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(3);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(asking.members()).hasSize(3);
        assertThat(play.take(RunPlan.class)).isEmpty();
    }

    @Test
    void whatComesIsPlacedAtOnceAndMadeWhenTheJobHasSaved() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        scale(new ScaleOut("worker", 2, Terms.PLAIN));
        asking.isAsked("more of worker are to come");
        assertThat(asking.members()).hasSize(5);
        play.on(new Event.Submitted(b, Fixtures.workers(4, 1), null));
        assertThat(play.job(b).state()).isInstanceOf(JobState.Queued.class);
        play.pass(Duration.ofSeconds(1));
        assertThat(asking.planned()).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(stage()).isEqualTo(Scaling.Stage.WAITING);
        play.restart();
        asking.answer(true);
        assertThat(asking.planned()).hasSize(5);
        assertThat(stage()).isEqualTo(Scaling.Stage.SCALING);
        one.seeNewest(3, PodPhase.RUNNING, null);
        one.seeNewest(4, PodPhase.RUNNING, null);
        assertThat(stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
        asking.endedAs(Stage.SAVED);
    }

    @Test
    void roomOfWhatDoesNotComeIsFree() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        scale(new SetReplicas("worker", 5, Terms.PLAIN));
        play.on(new Event.Submitted(b, Fixtures.workers(4, 1), null));
        asking.answer(false);
        assertThat(scaling().reason()).isEqualTo("CheckpointFailed");
        assertThat(scaling().message()).isEqualTo("step 40");
        assertThat(asking.members()).hasSize(3);
        assertThat(play.job(b).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void bestEffortKeepsWhatCameBeforeAnAskThatFailed() {
        play.on(new Event.Submitted(b, Fixtures.workers(4, 1), null));
        one.runs(byFile(elastic("default", 1, 3, 6)));
        scale(new ScaleOut("worker", 2, BEST_EFFORT));
        asking.answer(true);
        one.seeNewest(3, PodPhase.RUNNING, null);
        assertThat(asking.members()).hasSize(4);
        play.on(Fixtures.cancel(b, "", null));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), false, List.of()));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), true, List.of()));
        assertThat(asking.members()).hasSize(5);
        asking.answer(false);
        assertThat(asking.members()).hasSize(4);
        assertThat(stage()).isEqualTo(Scaling.Stage.FAILED);
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(4);
    }

    @Test
    void whatIsToChangeMeanwhileWaitsForTheSameAnswer() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        scale(new ScaleIn("worker", 1, none(), Terms.PLAIN));
        long id = asking.last().id();
        scale(new SetReplicas("worker", 4, Terms.PLAIN));
        assertThat(asking.last().id()).isEqualTo(id);
        play.pass(Duration.ofSeconds(1));
        assertThat(asking.planned()).containsExactly("worker-0", "worker-1", "worker-2");
        asking.answer(true);
        assertThat(asking.planned())
                .containsExactly("worker-0", "worker-1", "worker-2", "worker-3");
    }

    @Test
    void whoWasToLeaveByACommandThatIsSupersededStaysIfTheJobHasNotSaved() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        scale(new ScaleIn("worker", 2, none(), Terms.PLAIN));
        scale(new SetReplicas("worker", 3, Terms.PLAIN));
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(asking.planned()).hasSize(3);
    }

    @Test
    void rankThatFailsEndsTheWaitSinceTheOthersCanHardlySave() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        scale(new ScaleIn("worker", 1, none(), Terms.PLAIN));
        one.fail(1, 137);
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(asking.members()).containsExactly("worker-0", "worker-1");
        assertThat(stage()).isEqualTo(Scaling.Stage.SCALING);
    }

    @Test
    void jobOfWhichARankIsMadeAgainIsNotAskedBeforeItChangesItsSize() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        one.fail(1, 137);
        scale(new ScaleIn("worker", 0, new TreeSet<>(List.of("worker-2")), Terms.PLAIN));
        assertThat(play.job(a).past().checkpoint()).isNull();
        assertThat(asking.members()).containsExactly("worker-0", "worker-1");
    }

    @Test
    void nobodyIsAskedForAJobThatDoesNotRunOrForPodsThatDoNot() {
        var spec = byFile(elastic("default", 1, 3, 6));
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        scale(new ScaleIn("worker", 1, none(), Terms.PLAIN));
        assertThat(play.job(a).past().checkpoint()).isNull();
        one.see(0, PodPhase.RUNNING, null);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        scale(new ScaleIn("worker", 1, none(), Terms.PLAIN));
        assertThat(play.job(a).past().checkpoint()).isNull();
        assertThat(asking.members()).containsExactly("worker-0");
    }

    @Test
    void askIsTakenBackWhenWhatItWasForHasComeOtherwise() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        scale(new ScaleIn("worker", 1, none(), Terms.PLAIN));
        one.see(2, PodPhase.SUCCEEDED, 0);
        asking.endedAs(Stage.WITHDRAWN);
        one.gone(2);
        assertThat(stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
    }

    @Test
    void commandThatIsLateLeavesEverythingAsItWas() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        var hurried = new Terms(Duration.ofMinutes(1), true, Duration.ZERO, false);
        scale(new ScaleIn("worker", 1, none(), hurried));
        play.passHeard(Duration.ofSeconds(70), 0);
        assertThat(scaling().reason()).isEqualTo("Timeout");
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(asking.members()).hasSize(3);
        scale(new ScaleOut("worker", 1, hurried));
        play.passHeard(Duration.ofSeconds(70), 0);
        assertThat(scaling().reason()).isEqualTo("Timeout");
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(asking.members()).hasSize(3);
    }

    @Test
    void jobThatStartsAnewOwesNoAnswer() {
        one.runs(Fixtures.failing(FailurePolicy.PLAIN, byFile(elastic("default", 1, 3, 6))));
        scale(new ScaleOut("worker", 1, Terms.PLAIN));
        one.fail(1, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        asking.endedAs(Stage.WITHDRAWN);
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.gone(i);
        }
        one.applied(true);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        assertThat(asking.members()).hasSize(4);
    }

    @Test
    void whatIsGivenBackGoesWhenItHasSavedOrCannot() {
        one.runs(byFile(elastic("default", 2, 8, 8)));
        play.on(new Event.Submitted(b, Fixtures.workers(2, 1), null));
        play.passHeard(Duration.ofMinutes(6).minus(Duration.ofSeconds(30)), 0);
        asking.isAsked("it gives back worker-7, worker-6 for ml/b");
        play.takeEffects();
        asking.answer(false);
        asking.endedAs(Stage.FAILED);
        assertThat(asking.planned()).hasSize(6);
        one.gone(7);
        one.gone(6);
        assertThat(play.job(b).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(8);
    }

    @Test
    void workersLeaveANodeThatGoesWhenTheyHaveSaved() {
        one.runs(byFile(elastic("default", 1, 5, 8)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));
        var node = one.rank(4).making().node();
        assertThat(one.rank(0).making().node()).isNotEqualTo(node);
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(node, 4)));
        asking.isAsked("nodes of it are about to go");
        play.pass(Duration.ofSeconds(1));
        assertThat(asking.planned()).hasSize(5).contains("worker-4");
        // Who comes for it elsewhere waits for the same.
        assertThat(asking.members()).hasSize(5).contains("worker-5");
        play.pass(TIMEOUT);
        asking.endedAs(Stage.TIMED_OUT);
        assertThat(asking.planned()).contains("worker-5").doesNotContain("worker-4");
    }

    @Test
    void launcherKeepsItsHostsUntilTheJobHasSaved() {
        play.on(new Event.Submitted(a, byFile(ElasticJobs.launched("default", 1, 3, 6)), null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        launcherRuns();
        scale(new ScaleIn("worker", 1, none(), DRAIN));
        var asked = play.take(RunPlan.class).getLast();
        assertThat(hosts(asked)).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(asked.pods()).allMatch(pod -> pod.part().drain() == null);
        asking.answer(true);
        var going = play.take(RunPlan.class).getLast();
        assertThat(hosts(going)).containsExactly("worker-0", "worker-1");
        assertThat(going.pods())
                .filteredOn(pod -> pod.rank().equals(new RankId("worker", 2)))
                .extracting(pod -> pod.part().drain())
                .containsExactly(Duration.ofSeconds(30));
    }

    @Test
    void hostThatIsLostWhileItWaitsToLeaveIsInTheListNoMore() {
        play.on(new Event.Submitted(a, byFile(ElasticJobs.launched("default", 1, 3, 6)), null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        launcherRuns();
        scale(new ScaleIn("worker", 1, none(), DRAIN));
        play.takeEffects();
        play.on(new Event.PodGone(WATCHER, a, one.newest(2)));
        play.pass(Jobs.GATHER);
        assertThat(hosts(play.take(RunPlan.class).getLast()))
                .containsExactly("worker-0", "worker-1");
        asking.endedAs(Stage.WITHDRAWN);
    }

    private void launcherRuns() {
        var launcher = new RankId("launcher", 0);
        var making =
                asking.ranks().stream()
                        .filter(rank -> rank.id().equals(launcher))
                        .findFirst()
                        .orElseThrow()
                        .making();
        var mark = new Event.PodMark(launcher, 1, making.incarnation(), 1, "launcher-0");
        var pod = Fixtures.pod(mark, one.nextVersion(), PodPhase.RUNNING, making.node());
        play.on(new Event.PodSeen(WATCHER, a, pod));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void rankThatSaysThatItHasDrainedGoesAtOnce() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        scale(new ScaleIn("worker", 1, none(), DRAIN));
        var drained = new RankId("worker", 2);
        play.on(new Event.Drained(a, 1, null, drained));
        asking.answer(true);
        play.takeEffects();
        int incarnation = one.rank(2).making().incarnation();
        play.on(new Event.Drained(a, 2, null, drained));
        play.on(new Event.Drained(a, 1, incarnation - 1, drained));
        play.on(new Event.Drained(a, 1, null, new RankId("worker", 1)));
        assertThat(play.takeEffects()).isEmpty();
        play.on(new Event.Drained(a, 1, incarnation, drained));
        assertThat(asking.planned()).containsExactly("worker-0", "worker-1");
    }

    private void scale(Change.Scale command) {
        play.on(new Event.ChangeAsked(a, command, new Event.Request("ml/a", "r-" + requests++)));
    }

    private Scaling scaling() {
        return play.job(a).past().scaling();
    }

    private Scaling.Stage stage() {
        return scaling().stage();
    }

    private static TreeSet<String> none() {
        return new TreeSet<>();
    }
}
