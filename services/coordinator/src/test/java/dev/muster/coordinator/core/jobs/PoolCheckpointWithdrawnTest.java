package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.ScaledJob.nobody;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.ScaledJob;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Checkpoint.Stage;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Scaling;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Jobs that owe no answer any more whether they have saved, or are not asked at all. */
class PoolCheckpointWithdrawnTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final ScaledJob job = new ScaledJob(play, a);
    private final OneJob one = job.one;
    private final Asking asking = job.asking;

    @Test
    void whoWasToLeaveByACommandThatIsSupersededStaysIfTheJobHasNotSaved() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        job.scale(new ScaleIn("worker", 2, nobody(), Terms.PLAIN));
        job.scale(new SetReplicas("worker", 3, Terms.PLAIN));
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(job.stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(asking.planned()).hasSize(3);
    }

    @Test
    void rankThatFailsEndsTheWaitSinceTheOthersCanHardlySave() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        job.scale(new ScaleIn("worker", 1, nobody(), Terms.PLAIN));
        one.fail(1, 137);
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(asking.members()).containsExactly("worker-0", "worker-1");
        assertThat(job.stage()).isEqualTo(Scaling.Stage.SCALING);
    }

    @Test
    void jobOfWhichARankIsMadeAgainIsNotAskedBeforeItChangesItsSize() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        one.fail(1, 137);
        job.scale(new ScaleIn("worker", 0, new TreeSet<>(List.of("worker-2")), Terms.PLAIN));
        assertThat(play.job(a).past().checkpoint()).isNull();
        assertThat(asking.members()).containsExactly("worker-0", "worker-1");
    }

    @Test
    void nobodyIsAskedForAJobThatDoesNotRunOrForPodsThatDoNot() {
        var spec = byFile(elastic("default", 1, 3, 6));
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        job.scale(new ScaleIn("worker", 1, nobody(), Terms.PLAIN));
        assertThat(play.job(a).past().checkpoint()).isNull();
        one.see(0, PodPhase.RUNNING, null);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        job.scale(new ScaleIn("worker", 1, nobody(), Terms.PLAIN));
        assertThat(play.job(a).past().checkpoint()).isNull();
        assertThat(asking.members()).containsExactly("worker-0");
    }

    @Test
    void askIsTakenBackWhenWhatItWasForHasComeOtherwise() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        job.scale(new ScaleIn("worker", 1, nobody(), Terms.PLAIN));
        one.see(2, PodPhase.SUCCEEDED, 0);
        asking.endedAs(Stage.WITHDRAWN);
        one.gone(2);
        assertThat(job.stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
    }

    @Test
    void commandThatIsLateLeavesEverythingAsItWas() {
        one.runs(byFile(elastic("default", 1, 3, 6)));
        var hurried = new Terms(Duration.ofMinutes(1), true, Duration.ZERO, false);
        job.scale(new ScaleIn("worker", 1, nobody(), hurried));
        play.passHeard(Duration.ofSeconds(70), 0);
        assertThat(job.scaling().reason()).isEqualTo("Timeout");
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(asking.members()).hasSize(3);
        job.scale(new ScaleOut("worker", 1, hurried));
        play.passHeard(Duration.ofSeconds(70), 0);
        assertThat(job.scaling().reason()).isEqualTo("Timeout");
        asking.endedAs(Stage.WITHDRAWN);
        assertThat(asking.members()).hasSize(3);
    }

    @Test
    void jobThatStartsAnewOwesNoAnswer() {
        one.runs(Fixtures.failing(FailurePolicy.PLAIN, byFile(elastic("default", 1, 3, 6))));
        job.scale(new ScaleOut("worker", 1, Terms.PLAIN));
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
    void whoIsNamedAfterAShrinkThatWaitsForTheSaveLeavesAlone() {
        one.runs(byFile(elastic("default", 1, 4, 6)));
        job.scale(new ScaleIn("worker", 2, nobody(), Terms.PLAIN));
        job.scale(new ScaleIn("worker", 0, new TreeSet<>(List.of("worker-1")), Terms.PLAIN));
        assertThat(job.scaling().message()).isEqualTo("worker goes from 4 to 3: worker-1 leaves");
        asking.answer(true);
        one.gone(1);
        assertThat(job.stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
        assertThat(asking.members()).containsExactly("worker-0", "worker-2", "worker-3");
        assertThat(wished()).isEqualTo(3);
    }

    @Test
    void whoWasToLeaveByTheCommandBeforeMayBeNamed() {
        one.runs(byFile(elastic("default", 1, 4, 6)));
        job.scale(new ScaleIn("worker", 2, nobody(), Terms.PLAIN));
        job.scale(new ScaleIn("worker", 0, new TreeSet<>(List.of("worker-3")), Terms.PLAIN));
        assertThat(job.scaling().message()).isEqualTo("worker goes from 4 to 3: worker-3 leaves");
        assertThat(asking.members()).containsExactly("worker-0", "worker-1", "worker-2");
    }

    @Test
    void smallerShrinkThanTheOneThatWaitsForTheSaveIsNoGrowth() {
        one.runs(byFile(elastic("default", 1, 8, 8)));
        job.scale(new SetReplicas("worker", 4, Terms.PLAIN));
        job.scale(new SetReplicas("worker", 6, Terms.PLAIN));
        assertThat(job.stage()).isEqualTo(Scaling.Stage.WAITING);
        assertThat(job.scaling().message())
                .isEqualTo("worker goes from 8 to 6: worker-7, worker-6 leave");
        asking.answer(false);
        assertThat(job.scaling().reason()).isEqualTo("CheckpointFailed");
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(asking.members()).hasSize(8);
        assertThat(wished()).isEqualTo(8);
    }

    @Test
    void growthAfterAShrinkThatWaitsForTheSaveTakesNobodyOut() {
        one.runs(byFile(elastic("default", 1, 4, 6)));
        job.scale(new ScaleIn("worker", 3, nobody(), Terms.PLAIN));
        job.scale(new ScaleOut("worker", 1, Terms.PLAIN));
        assertThat(job.scaling().message()).isEqualTo("worker goes from 4 to 5");
        asking.answer(true);
        one.seeNewest(4, PodPhase.RUNNING, null);
        assertThat(job.stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
        assertThat(asking.members()).hasSize(5);
    }

    @Test
    void dryRunAfterAShrinkThatWaitsForTheSaveSaysWhatTheCommandWouldDo() {
        one.runs(byFile(elastic("default", 1, 4, 6)));
        job.scale(new ScaleIn("worker", 2, nobody(), Terms.PLAIN));
        play.takeEffects();
        job.scale(new SetReplicas("worker", 3, new Terms(Duration.ZERO, true, null, true)));
        assertThat(play.take(Effect.Answer.class).getFirst().message())
                .isEqualTo("dry run: worker goes from 4 to 3: worker-3 leaves");
        assertThat(asking.members()).hasSize(2);
    }

    @Test
    void commandThatIsRefusedLeavesTheOneThatWaitsForTheSave() {
        one.runs(byFile(elastic("default", 1, 4, 6)));
        job.scale(new ScaleIn("worker", 2, nobody(), Terms.PLAIN));
        job.scale(new ScaleOut("worker", 3, Terms.PLAIN));
        assertThat(job.scaling().message())
                .isEqualTo("worker goes from 4 to 2: worker-3, worker-2 leave");
        assertThat(job.stage()).isEqualTo(Scaling.Stage.WAITING);
        assertThat(asking.members()).hasSize(2);
    }

    /** A growth of which less is to come has ranks that leave, too. */
    @Test
    void growthThatTakesSomeOfItsOwnOutAgainWaitsForThem() {
        one.runs(byFile(elastic("default", 1, 2, 8)));
        job.scale(new SetReplicas("worker", 6, Terms.PLAIN));
        asking.answer(true);
        for (int i = 2; i < 5; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        job.scale(new SetReplicas("worker", 4, Terms.PLAIN));
        assertThat(job.stage()).isEqualTo(Scaling.Stage.WAITING);
        job.scale(new ScaleIn("worker", 0, new TreeSet<>(List.of("worker-1")), Terms.PLAIN));
        assertThat(asking.members()).hasSize(wished()).doesNotContain("worker-1");
        asking.answer(true);
        one.gone(1);
        play.on(new Event.PodGone(Fixtures.WATCHER, a, one.newest(5)));
        assertThat(job.stage()).isEqualTo(Scaling.Stage.SUCCEEDED);
        assertThat(asking.members()).hasSize(wished());
    }

    private int wished() {
        return play.job(a).spec().role("worker").replicas();
    }
}
