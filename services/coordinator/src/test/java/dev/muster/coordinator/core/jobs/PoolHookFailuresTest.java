package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.HookedJob.DRAIN;
import static dev.muster.coordinator.core.fixtures.HookedJob.MINUTE;
import static dev.muster.coordinator.core.fixtures.HookedJob.TELL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.HookedJob;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.ScaleOut;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.Hooked;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Scaling.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Hooks that fail, and what is lost or late of them. */
class PoolHookFailuresTest {
    private final HookedJob job = new HookedJob();
    private final Play play = job.play;
    private final JobId a = job.a;
    private final OneJob one = job.one;
    private final List<RunPlan> plans = job.plans;

    @Test
    void failedHookIsTriedAgainInANewPodAfterADelay() {
        job.grow(true);
        var first = job.ordered();
        job.ends(2, "no");
        assertThat(job.planned()).isNull();
        assertThat(job.scaling().hook()).isEqualTo(new Hooked(1, false, 2, "Error", "no"));
        play.pass(Duration.ofSeconds(5));
        var second = job.ordered();
        assertThat(second.incarnation()).isGreaterThan(first.incarnation());
        assertThat(second.number()).isEqualTo(2);
        job.ends(0, "at last");
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
        assertThat(job.scaling().hook()).isEqualTo(new Hooked(2, true, 0, "", "at last"));
    }

    @Test
    void delaysDoubleUpToAMinute() {
        assertThat(List.of(1, 2, 3, 4, 5, 10).stream().map(TELL::delayAfter))
                .extracting(Duration::toSeconds)
                .containsExactly(5L, 10L, 20L, 40L, 60L, 60L);
    }

    @Test
    void growthWhoseHookFailsIsGivenBack() {
        job.grow(true);
        job.failsForGood();
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(job.scaling().reason()).isEqualTo("HookFailed");
        assertThat(job.scaling().message()).isEqualTo("its hook failed with exit code 3 in try 2");
        assertThat(job.scaling().hook()).isEqualTo(new Hooked(2, false, 3, "Error", "never"));
        assertThat(job.members()).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(3);
        assertThat(job.planned()).isNull();
    }

    @Test
    void growthOfBestEffortIsKeptThoughItsHookFails() {
        job.grow(false);
        job.failsForGood();
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(job.scaling().message()).endsWith("; its size stays");
        assertThat(job.members()).hasSize(4);
        assertThat(job.planned()).isNull();
    }

    @Test
    void whoWasToLeaveStaysWhereTheHookFails() {
        job.shrink(true);
        job.failsForGood();
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(job.scaling().message()).endsWith("; who was to leave stays");
        assertThat(job.members()).hasSize(4);
        assertThat(play.job(a).spec().role("worker").replicas()).isEqualTo(4);
        play.pass(MINUTE);
        assertThat(job.planned()).isNull();
        assertThat(plans.getLast().pods()).hasSize(4);
    }

    @Test
    void whoHasEndedMeanwhileIsMadeAnew() {
        job.shrink(true);
        one.see(3, PodPhase.SUCCEEDED, 0);
        job.failsForGood();
        one.gone(3);
        play.pass(MINUTE);
        assertThat(job.members()).containsExactly("worker-0", "worker-1", "worker-2", "worker-4");
        assertThat(one.rank(4).state()).isEqualTo(RankState.ORDERED);
    }

    @Test
    void whoLeavesByBestEffortLeavesThoughTheHookFails() {
        job.shrink(false);
        job.failsForGood();
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(one.rank(3).tenure().leaves()).isEqualTo(play.now().plus(DRAIN));
        play.pass(DRAIN);
        job.planned();
        assertThat(plans.getLast().pods()).hasSize(3);
    }

    @Test
    void podThatVanishesIsAFailedTry() {
        job.grow(true);
        var first = job.ordered();
        job.see(PodPhase.RUNNING, first.incarnation(), null);
        play.on(new Event.PodGone(WATCHER, a, job.mark(first.incarnation())));
        assertThat(Objects.requireNonNull(job.scaling().hook()).reason()).isEqualTo("PodLost");
        play.pass(Duration.ofSeconds(5));
        assertThat(job.ordered().number()).isEqualTo(2);
    }

    @Test
    void podThatIsMissingFromASnapshotHasVanished() {
        job.grow(true);
        job.see(PodPhase.RUNNING, job.ordered().incarnation(), null);
        play.on(new Event.SnapshotBegin(WATCHER, "new"));
        for (int i = 0; i < 4; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.on(new Event.SnapshotEnd(WATCHER, "new"));
        assertThat(Objects.requireNonNull(job.scaling().hook()).reason()).isEqualTo("PodLost");
    }

    @Test
    void podThatASnapshotShowsAsItWasEarlierIsThere() {
        job.grow(true);
        var early = one.nextVersion();
        var mark = job.mark(job.ordered().incarnation());
        job.see(PodPhase.RUNNING, mark.incarnation(), null);
        play.on(new Event.SnapshotBegin(WATCHER, "behind"));
        for (int i = 0; i < 4; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        var pod = Fixtures.pod(mark, early, PodPhase.PENDING, "node-0");
        play.on(new Event.PodSeen(WATCHER, a, pod));
        play.on(new Event.SnapshotEnd(WATCHER, "behind"));
        assertThat(Objects.requireNonNull(job.scaling().hook()).reason()).isEmpty();
    }

    @Test
    void podWhoseEndIsNotSeenInTimeFailsWithWhatKeptIt() {
        play.passHeard(MINUTE, 0);
        job.grow(true);
        job.see(
                PodPhase.PENDING,
                job.ordered().incarnation(),
                null,
                new Event.Hindrance("ErrImagePull", "no such image"));
        play.passHeard(MINUTE.plusSeconds(11), 0);
        assertThat(job.scaling().hook())
                .isEqualTo(new Hooked(1, false, null, "ErrImagePull", "no such image"));
        play.passHeard(Duration.ofSeconds(5), 0);
        job.ordered();
        play.passHeard(MINUTE.plusSeconds(20), 0);
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(job.scaling().message())
                .isEqualTo("its hook failed with DeadlineExceeded in try 2");
    }

    @Test
    void timeOfATryStandsStillWhileNobodyWatches() {
        job.grow(true);
        job.ordered();
        play.pass(Duration.ofMinutes(10));
        assertThat(job.stage()).isEqualTo(Stage.SCALING);
        assertThat(Objects.requireNonNull(job.scaling().hook()).reason()).isEmpty();
    }

    @Test
    void newsOfOtherMakingsOfItMeanNothing() {
        job.grow(true);
        var first = job.ordered();
        job.ends(2, "no");
        play.pass(Duration.ofSeconds(5));
        var second = job.ordered();
        var well = new ContainerEnd(0, "Completed", "late");
        job.see(PodPhase.SUCCEEDED, first.incarnation(), well);
        job.see(PodPhase.SUCCEEDED, second.incarnation() + 1, well);
        play.on(new Event.PodGone(WATCHER, a, job.mark(first.incarnation())));
        assertThat(job.stage()).isEqualTo(Stage.SCALING);
        job.see(PodPhase.RUNNING, second.incarnation(), null);
        var other = new Event.PodMark(Hook.RANK, 1, second.incarnation(), 1, "other");
        play.on(new Event.PodGone(WATCHER, a, other));
        assertThat(job.scaling().hook()).isEqualTo(new Hooked(2, false, 2, "Error", "no"));
        job.ends(0, "");
        assertThat(job.stage()).isEqualTo(Stage.SUCCEEDED);
        job.see(PodPhase.FAILED, second.incarnation(), new ContainerEnd(1, "Error", "later"));
        play.on(new Event.PodGone(WATCHER, a, job.mark(second.incarnation())));
        assertThat(job.scaling().hook()).isEqualTo(new Hooked(2, true, 0, "", ""));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void commandsTimeCountsForItsHookToo() {
        one.runs(elastic("default", 2, 3, 6));
        job.ask(new ScaleOut("worker", 1, new Terms(DRAIN, true, DRAIN, false, TELL)));
        one.seeNewest(3, PodPhase.RUNNING, null);
        job.ordered();
        play.passHeard(DRAIN, 0);
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(job.scaling().reason()).isEqualTo("Timeout");
        assertThat(job.members()).hasSize(3);
    }

    @Test
    void commandThatIsLateAfterItsHookDoesNotSayThatItWasTheHook() {
        one.runs(elastic("default", 2, 4, 6));
        var terms = new Terms(DRAIN, true, Duration.ofHours(1), false, TELL);
        job.ask(new ScaleIn("worker", 1, new TreeSet<>(), terms));
        job.ends(0, "");
        play.passHeard(DRAIN, 0);
        assertThat(job.stage()).isEqualTo(Stage.FAILED);
        assertThat(job.scaling().message()).isEqualTo("[worker-3] were still there");
        assertThat(job.members()).hasSize(4);
    }

    @Test
    void podThatTheApiServerDoesNotTakeFailsTheCommandAndNotTheJob() {
        job.shrink(true);
        job.ordered();
        var version = play.job(a).fences().plan();
        play.on(new Event.PlanRefused(a, version, "NameTaken", "pod a-hook-0 is not Muster's"));
        assertThat(job.scaling().reason()).isEqualTo("HookFailed");
        assertThat(job.members()).hasSize(4);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }
}
