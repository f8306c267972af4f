package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
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
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A node starts anew, and its kubelet has forgotten how a container ended that it starts again.
 * While that rank waits for its delay the node is not ready, though its pod runs.
 */
class PoolRebootedNodesTest {
    private static final Duration AFTER = FailurePolicy.PLAIN.nodeLost().after();

    /** A rule speaks of it, so that it is a failure like any other. */
    private static final Rule ON_LOSS =
            new Rule(List.of(), List.of("NodeLost"), null, new Action.RestartPod());

    private final Play play = Play.withNodes(1, 1, 1);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private String node = "";

    @Test
    void podThatIsThereIsForcedOnlyWhenItsNodeIsLost() {
        startsAgainOnANodeThatIsNotReady(failing(policy(true), workers(2, 1)));
        play.passHeard(AFTER.minusSeconds(1), 0);
        assertThat(one.rank(1).making().incarnation()).isEqualTo(2);
        play.restart();
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(one.rank(1).making().incarnation()).isGreaterThan(2);
        assertThat(play.take(RunPlan.class).getLast().pods())
                .extracting(PlannedPod::node)
                .doesNotContain(node);
    }

    @Test
    void nobodyComesInThePlaceOfAWorkerBeforeItsNodeIsLost() {
        var elastic = ElasticJobs.elastic("default", 2, 2, 4);
        startsAgainOnANodeThatIsNotReady(failing(policy(false), elastic));
        play.passHeard(AFTER.minusSeconds(1), 0);
        assertThat(members()).containsExactly(0, 1);
        play.restart();
        play.passHeard(Duration.ofSeconds(10), 0);
        assertThat(members()).containsExactly(0, 2);
    }

    private void startsAgainOnANodeThatIsNotReady(JobSpec spec) {
        one.runs(spec);
        node = one.rank(1).making().node();
        var pod = Fixtures.pod(OneJob.mark(1), one.nextVersion(), PodPhase.RUNNING, node, null);
        var forgotten = new Event.ContainerEnd(255, "Unknown", "");
        var again = Fixtures.again(pod, new Event.EarlierRuns(1, forgotten));
        play.on(new Event.PodSeen(WATCHER, a, again));
        assertThat(one.rank(1).state()).isEqualTo(RankState.FAILED);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, 1)));
        play.takeEffects();
    }

    private List<Integer> members() {
        return play.ranks(a).stream()
                .filter(rank -> !rank.isLeaving())
                .map(Rank::id)
                .map(id -> id.index())
                .toList();
    }

    private static FailurePolicy policy(boolean force) {
        return Fixtures.losing(AFTER, force, Fixtures.policy(Otherwise.POD, ON_LOSS));
    }
}
