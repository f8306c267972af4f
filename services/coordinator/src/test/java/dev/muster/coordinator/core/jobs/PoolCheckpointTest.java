package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.TIMEOUT;
import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Planned.hosts;
import static dev.muster.coordinator.core.fixtures.ScaledJob.nobody;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.ScaledJob;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Checkpoint.Stage;
import dev.muster.coordinator.core.model.CheckpointPolicy;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Scaling;
import java.time.Duration;
import java.util.List;
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
    private final ScaledJob job = new ScaledJob(play, a);
    private final OneJob one = job.one;
    private final Asking asking = job.asking;

    @Test
    void whoIsToLeaveStaysUntilItHasSavedAndThenHasItsDrain() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        job.scale(new ScaleIn("worker", 1, nobody(), DRAIN));
        asking.isAsked("worker goes from 3 to 2: worker-2 leaves");
        var asked = play.takeOne(RunPlan.class);
        assertThat(Asking.ranks(asked)).hasSize(3);
        assertThat(asked.ask()).isEqualTo(asking.last().id());
        assertThat(job.stage()).isEqualTo(Scaling.Stage.WAITING);
        play.restart();
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.take(RunPlan.class)).isEmpty();
        asking.answer(true);
        asking.endedAs(Stage.SAVED);
        var going = play.takeOne(RunPlan.class);
        assertThat(Asking.ranks(going)).hasSize(3);
        assertThat(going.ask()).isZero();
        assertThat(job.stage()).isEqualTo(Scaling.Stage.SCALING);
        play.pass(Duration.ofSeconds(30));
        assertThat(asking.planned()).containsExactly("worker-0", "worker-1");
        one.gone(2);
        assertThat(job.stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
    }

    @Test
    void jobThatIsAskedByItsEventsHasThemAndNothingInItsPlans() {
        var byEvent = new CheckpointPolicy(false, TIMEOUT);
        one.runs(CheckpointJobs.asked(byEvent, elastic("default", 1, 3, 6)));
        job.scale(new ScaleIn("worker", 1, nobody(), Terms.PLAIN));
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
        job.scale(new ScaleIn("worker", 1, nobody(), Terms.PLAIN));
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
        job.scale(new ScaleIn("worker", 2, nobody(), Terms.PLAIN));
        play.takeEffects();
        if (answers) {
            asking.answer(false);
        } else {
            play.pass(TIMEOUT);
        }
        asking.endedAs(answers ? Stage.FAILED : Stage.TIMED_OUT);
        assertThat(job.scaling().stage()).isEqualTo(Scaling.Stage.FAILED);
        assertThat(job.scaling().reason())
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
        job.scale(new ScaleOut("worker", 2, Terms.PLAIN));
        asking.isAsked("more of worker are to come");
        assertThat(asking.members()).hasSize(5);
        play.on(new Event.Submitted(b, Fixtures.workers(4, 1), null));
        assertThat(play.job(b).state()).isInstanceOf(JobState.Queued.class);
        play.pass(Duration.ofSeconds(1));
        assertThat(asking.planned()).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(job.stage()).isEqualTo(Scaling.Stage.WAITING);
        play.restart();
        asking.answer(true);
        assertThat(asking.planned()).hasSize(5);
        assertThat(job.stage()).isEqualTo(Scaling.Stage.SCALING);
        one.seeNewest(3, PodPhase.RUNNING, null);
        one.seeNewest(4, PodPhase.RUNNING, null);
        assertThat(job.stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
        asking.endedAs(Stage.SAVED);
    }

    @Test
    void roomOfWhatDoesNotComeIsFree() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        job.scale(new SetReplicas("worker", 5, Terms.PLAIN));
        play.on(new Event.Submitted(b, Fixtures.workers(4, 1), null));
        asking.answer(false);
        assertThat(job.scaling().reason()).isEqualTo("CheckpointFailed");
        assertThat(job.scaling().message()).isEqualTo("step 40");
        assertThat(asking.members()).hasSize(3);
        assertThat(play.job(b).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void bestEffortKeepsWhatCameBeforeAnAskThatFailed() {
        play.on(new Event.Submitted(b, Fixtures.workers(4, 1), null));
        one.runs(byFile(elastic("default", 1, 3, 6)));
        job.scale(new ScaleOut("worker", 2, BEST_EFFORT));
        asking.answer(true);
        one.seeNewest(3, PodPhase.RUNNING, null);
        assertThat(asking.members()).hasSize(4);
        play.on(Fixtures.cancel(b, "", null));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), false, List.of()));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), true, List.of()));
        assertThat(asking.members()).hasSize(5);
        asking.answer(false);
        assertThat(asking.members()).hasSize(4);
        assertThat(job.stage()).isEqualTo(Scaling.Stage.FAILED);
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(4);
    }

    @Test
    void whatIsToChangeMeanwhileWaitsForTheSameAnswer() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        job.scale(new ScaleIn("worker", 1, nobody(), Terms.PLAIN));
        long id = asking.last().id();
        job.scale(new SetReplicas("worker", 4, Terms.PLAIN));
        assertThat(asking.last().id()).isEqualTo(id);
        play.pass(Duration.ofSeconds(1));
        assertThat(asking.planned()).containsExactly("worker-0", "worker-1", "worker-2");
        asking.answer(true);
        assertThat(asking.planned())
                .containsExactly("worker-0", "worker-1", "worker-2", "worker-3");
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
        runsWithLauncher();
        job.scale(new ScaleIn("worker", 1, nobody(), DRAIN));
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
        runsWithLauncher();
        job.scale(new ScaleIn("worker", 1, nobody(), DRAIN));
        play.takeEffects();
        play.on(new Event.PodGone(WATCHER, a, one.newest(2)));
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(play.take(RunPlan.class).getLast()))
                .containsExactly("worker-0", "worker-1");
        asking.endedAs(Stage.WITHDRAWN);
    }

    @Test
    void rankThatSaysThatItHasDrainedGoesAtOnce() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        job.scale(new ScaleIn("worker", 1, nobody(), DRAIN));
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

    private void runsWithLauncher() {
        play.on(new Event.Submitted(a, byFile(ElasticJobs.launched("default", 1, 3, 6)), null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
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
}
