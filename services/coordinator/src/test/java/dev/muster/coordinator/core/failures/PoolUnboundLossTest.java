package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.BackedPools;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pods that somebody deletes before a scheduler has bound them: no node is to blame for that. */
class PoolUnboundLossTest {
    private final JobId a = job("a", 1);

    @Test
    void whereTheBackendChoosesNodesNoneIsExcluded() {
        var play = BackedPools.play(BackedPools.DELEGATED);
        var one = waits(play);
        isLost(play, one);
        assertThat(play.job(a).past().exclusions().nodes()).isEmpty();
        assertThat(play.take(RunPlan.class).getLast().grouping().avoided()).isEmpty();
    }

    @Test
    void nodeThatWasOnlyPlannedIsNeitherExcludedNorSuspect() {
        var play = Play.withNodes(4, 4);
        var one = waits(play);
        play.restart();
        isLost(play, one);
        assertThat(play.job(a).past().exclusions().nodes()).isEmpty();
        assertThat(play.rows.get(Row.Table.SUSPICION)).isNull();
    }

    @Test
    void nodeToWhichItWasSeenBoundIsBoth() {
        var play = Play.withNodes(4, 4);
        var one = waits(play);
        see(play, one, 0, "node-0");
        see(play, one, 0, null);
        play.restart();
        isLost(play, one);
        assertThat(play.job(a).past().exclusions().nodes()).containsExactly("node-0");
        assertThat(play.rows.get(Row.Table.SUSPICION)).containsOnlyKeys("node-0");
    }

    /** Nobody looks for another node for what is there no more: that is what a verdict is for. */
    @Test
    void itIsMadeAgainAtTheCostOfItsJob() {
        var play = Play.withNodes(4, 4);
        var one = new OneJob(play, a);
        play.on(new Event.Submitted(a, failing(policy(Otherwise.POD), workers(2, 1)), null));
        one.applied(false);
        see(play, one, 0, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.gone(0);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        assertThat(play.job(a).past().budgets().infrastructure()).isEqualTo(1);
        play.passHeard(FailurePolicy.PLAIN.delay().initial(), 0);
        assertThat(one.rank(0).state()).isEqualTo(RankState.ORDERED);
    }

    /** Its gang is ordered, and no pod of it is bound. */
    private OneJob waits(Play play) {
        var one = new OneJob(play, a);
        play.on(new Event.Submitted(a, excluding(), null));
        one.applied(false);
        see(play, one, 0, null);
        see(play, one, 1, null);
        return one;
    }

    private void isLost(Play play, OneJob one) {
        one.gone(0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        one.gone(1);
        one.applied(false);
        one.applied(true);
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(play.job(a).fences().attempt()).isEqualTo(2);
    }

    private void see(Play play, OneJob one, int index, @Nullable String node) {
        var pod = Fixtures.pod(one.newest(index), one.nextVersion(), PodPhase.PENDING, node);
        play.on(new Event.PodSeen(WATCHER, a, pod));
    }

    private static JobSpec excluding() {
        var rule = new Rule(List.of(), List.of("PodLost"), null, new Action.ExcludeNode());
        return failing(policy(Otherwise.GANG, rule), workers(2, 1));
    }
}
