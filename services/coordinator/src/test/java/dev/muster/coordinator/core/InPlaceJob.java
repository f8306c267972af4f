package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.failing;
import static dev.muster.coordinator.core.Fixtures.job;
import static dev.muster.coordinator.core.Fixtures.policy;
import static dev.muster.coordinator.core.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.failures.InPlaceRestarts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.state.Effect.PlannedPod;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One job of workers whose containers are to start again in their pods when they end with 42, and
 * what is seen of it.
 */
final class InPlaceJob {
    static final Rule ON_42 =
            new Rule(List.of(new ExitCodes(42, 42)), List.of(), null, new Action.RestartInPlace());
    static final Duration SETTLE_AND_DELAY =
            FailurePolicy.PLAIN.settle().plus(FailurePolicy.PLAIN.delay().initial());
    static final Duration PATIENCE = InPlaceRestarts.RESTART_TIMEOUT.plus(workers(1, 1).grace());

    final Play play = Play.withNodes(4, 4);
    final JobId id = job("a", 1);
    final OneJob one = new OneJob(play, id);

    /** Some pod-manager can ask for containers to be started again. */
    boolean served;

    /**
     * Of three ranks the last failed and was restarted by the kubelet; the others are asked for.
     */
    void gangIsAskedFor() {
        served = true;
        one.runs(failing(policy(Otherwise.GANG, ON_42), workers(3, 1)));
        restarted(2, 1, 42);
        pass(SETTLE_AND_DELAY);
        var pods = lastPods();
        assertThat(pods).extracting(PlannedPod::incarnation).containsExactly(1, 2, 3);
        assertThat(pods).extracting(PlannedPod::inPlace).containsExactly(4, 5, 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RUNNING);
        assertThat(one.rank(0).state()).isEqualTo(RankState.ORDERED);
        one.applied(false);
    }

    /** Of two ranks the last failed, and is asked for. */
    void podIsAskedFor() {
        served = true;
        one.runs(failing(policy(Otherwise.POD, ON_42), workers(2, 1)));
        one.see(1, PodPhase.RUNNING, 42);
        pass(SETTLE_AND_DELAY);
        assertThat(lastPods()).extracting(PlannedPod::inPlace).containsExactly(0, 3);
        one.applied(false);
    }

    List<PlannedPod> lastPods() {
        var plans = play.take(RunPlan.class);
        return plans.isEmpty() ? List.of() : plans.getLast().pods();
    }

    void restarted(int index, int count, @Nullable Integer exitCode) {
        var end = exitCode == null ? null : new Event.ContainerEnd(exitCode, "Error", "");
        var node = one.rank(index).making().node();
        var pod = Fixtures.pod(OneJob.mark(index), one.nextVersion(), PodPhase.RUNNING, node, null);
        play.on(
                new Event.PodSeen(
                        WATCHER, id, Fixtures.again(pod, new Event.EarlierRuns(count, end))));
    }

    /** In which all witnesses are heard of. */
    void pass(Duration time) {
        var step = Duration.ofSeconds(1);
        for (var left = time; left.isPositive(); left = left.minus(step)) {
            play.on(new Event.WatcherAlive(WATCHER));
            play.on(new Event.PodManagerAlive("pods-0", Set.of(0), Set.of(), served));
            play.pass(step);
        }
    }
}
