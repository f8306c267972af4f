package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods that the cluster or somebody takes away, whose programs end as they were told to. */
class PoolTakenAwayTest {
    private final Play play = Play.withNodes(4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @ParameterizedTest
    @CsvSource({
        "FAILED, false, Evicted, Evicted",
        "FAILED, false, Terminated, NodeShutdown",
        "FAILED, true, TerminationByKubelet, Evicted",
        "SUCCEEDED, true, EvictionByEvictionAPI, Evicted",
        "SUCCEEDED, true, PreemptionByScheduler, Preempted",
        "RUNNING, true, DeletionByTaintManager, NodeLost",
    })
    void whoSavedAndExitedWith0HasNotSucceeded(
            PodPhase phase, boolean deleting, String reason, String told) {
        one.runs(failing(policy(Otherwise.POD), workers(2, 1)));
        end(1, phase, 0, deleting, reason);
        assertThat(one.rank(1).state()).isEqualTo(RankState.FAILED);
        one.succeed(0);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        assertThat(play.take(Effect.RankEnded.class))
                .extracting(Effect.RankEnded::exitCode, Effect.RankEnded::reason)
                .contains(tuple(0, told));
    }

    /** Its own template ended it, and its program saved and exited with 0. */
    @ParameterizedTest
    @CsvSource({"0", "143"})
    void whoseOwnTimeWasUpHasFailedWhateverItExitedWith(int exitCode) {
        one.runs(failing(policy(Otherwise.POD), workers(2, 1)));
        end(1, PodPhase.FAILED, exitCode, false, "DeadlineExceeded");
        assertThat(one.rank(1).state()).isEqualTo(RankState.FAILED);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.FAILED);
        assertThat(play.job(a).past().budgets().own()).isZero();
    }

    @Test
    void whoseOwnTimeWasUpIsJudgedByARule() {
        var rule =
                new Rule(
                        List.of(),
                        List.of("DeadlineExceeded"),
                        null,
                        new FailurePolicy.Action.RestartGang());
        one.runs(failing(policy(Otherwise.POD, rule), workers(2, 1)));
        end(1, PodPhase.FAILED, 0, false, "DeadlineExceeded");
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        assertThat(play.job(a).past().budgets().own()).isEqualTo(1);
    }

    @Test
    void evictionThatWasAskedForAndDidNotComeTakesNothingAway() {
        one.runs(workers(2, 1));
        end(1, PodPhase.SUCCEEDED, 0, false, "EvictionByEvictionAPI");
        assertThat(one.rank(1).state()).isEqualTo(RankState.SUCCEEDED);
    }

    @Test
    void whoHadSucceededBeforeHasWhateverBecomesOfItsPod() {
        one.runs(workers(2, 1));
        one.see(1, PodPhase.RUNNING, 0);
        end(1, PodPhase.FAILED, 0, true, "Evicted");
        assertThat(one.rank(1).state()).isEqualTo(RankState.SUCCEEDED);
        one.succeed(0);
        assertThat(play.takePhases(a)).containsExactly(Phase.SUCCEEDED);
    }

    @ParameterizedTest
    @CsvSource({"FAILED, 1", "FAILED, 143", "SUCCEEDED, 0"})
    void endOfAPodThatSomebodyHadBegunToDeleteIsTheirs(PodPhase phase, int exitCode) {
        one.runs(failing(policy(Otherwise.POD), workers(2, 1)));
        end(1, PodPhase.RUNNING, null, true, "");
        assertThat(one.rank(1).state()).isEqualTo(RankState.RUNNING);
        play.restart();
        end(1, phase, exitCode, true, "");
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        assertThat(play.take(Effect.RankEnded.class))
                .extracting(Effect.RankEnded::reason)
                .containsExactly("PodDeleted");
    }

    @Test
    void endThatIsSeenTogetherWithItsDeletionIsItsOwn() {
        one.runs(failing(policy(Otherwise.POD), workers(2, 1)));
        end(0, PodPhase.SUCCEEDED, 0, true, "");
        assertThat(one.rank(0).state()).isEqualTo(RankState.SUCCEEDED);
        end(1, PodPhase.FAILED, 1, true, "");
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(play.takePhases(a)).containsExactly(Phase.FAILED);
    }

    @Test
    void whoIsTakenOutEndsAsItLikes() {
        one.runs(ElasticJobs.elastic("default", 1, 2, 2));
        var terms = new Change.Terms(Duration.ZERO, true, Duration.ofMinutes(30), false);
        play.on(
                new Event.ChangeAsked(
                        a, new Change.ScaleIn("worker", 1, new TreeSet<>(), terms), null));
        end(1, PodPhase.RUNNING, null, true, "");
        end(1, PodPhase.SUCCEEDED, 0, true, "EvictionByEvictionAPI");
        assertThat(play.job(a).past().budgets().infrastructure()).isZero();
        assertThat(play.take(Effect.RankEnded.class))
                .extracting(Effect.RankEnded::reason)
                .containsExactly("ScaledIn");
    }

    private void end(
            int index,
            PodPhase phase,
            @Nullable Integer exitCode,
            boolean deleting,
            String reason) {
        var node = one.rank(index).making().node();
        var pod = Fixtures.pod(OneJob.mark(index), one.nextVersion(), phase, node, exitCode);
        play.on(new Event.PodSeen(WATCHER, a, taken(pod, deleting, reason)));
    }

    private static Event.Pod taken(Event.Pod pod, boolean deleting, String reason) {
        return new Event.Pod(
                pod.mark(),
                pod.resourceVersion(),
                pod.phase(),
                pod.node(),
                pod.ready(),
                deleting,
                pod.unschedulable(),
                pod.main(),
                pod.hindrance(),
                reason,
                pod.message(),
                pod.runs());
    }
}
