package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Rank;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What elastic jobs have beyond their minima, where it is much. */
class PoolSurplusTest {
    private static final Duration WAIT = Duration.ofMinutes(6);
    private final JobId large = job("large", 1);
    private final JobId other = job("other", 2);
    private final JobId head = job("head", 3);

    private static long leaving(Play play, JobId job) {
        return play.allRows()
                .filter(row -> row instanceof Rank rank && rank.job().equals(job))
                .filter(row -> ((Rank) row).isLeaving())
                .count();
    }

    private static List<JobId> preempted(Play play) {
        return play.take(Effect.Preempted.class).stream().map(Effect.Preempted::job).toList();
    }

    @Test
    void hundredsAreGivenBackForOneHead() {
        var play = Play.withNodes(110, 110, 110);
        new OneJob(play, large).runs(ElasticJobs.elastic("default", 10, 310, 310));
        play.on(new Event.Submitted(head, workers(250, 1), null));
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).containsExactly(large);
        assertThat(leaving(play, large)).isEqualTo(230);
    }

    @Test
    void elasticJobShrinksByHundredsBeforeItIsEndedAsAWhole() {
        var play = Play.withNodes(110, 110, 110, 110);
        var rules = new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, Duration.ZERO, 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
        new OneJob(play, large).runs(ElasticJobs.elastic("default", 10, 330, 330));
        new OneJob(play, other).runs(workers(100, 1));
        play.on(new Event.Submitted(head, Fixtures.at(1, workers(260, 1)), null));
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).containsExactly(large);
        assertThat(play.job(large).state()).isInstanceOf(JobState.Running.class);
        assertThat(leaving(play, large)).isEqualTo(250);
    }

    @Test
    void nobodyLeavesWhoLiesWhereTheHeadMayNotGo() {
        var play = Play.withNodes(110, 110, 110);
        play.on(new Event.NodeSeen(WATCHER, Nodes.inRack("gpu", 20, "gpu")));
        var onGpus = NodeFilter.of(new TreeMap<>(Map.of("rack", "gpu")), List.of(), List.of());
        var workers = atLeast(2, role("worker", 20, cpu(1), onGpus));
        new OneJob(play, large).runs(ElasticJobs.elastic(2, 20, spec("default", workers)));
        play.pass(Duration.ofMinutes(1));
        new OneJob(play, other).runs(ElasticJobs.elastic("default", 10, 310, 310));
        play.on(
                new Event.Submitted(
                        head, spec("default", role("worker", 4, cpu(1), onGpus)), null));
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).containsExactly(large);
        assertThat(leaving(play, large)).isEqualTo(4);
    }

    @Test
    void whoDoesNotRunIsGivenBackBeforeTheYoungest() {
        var play = Play.withNodes(8);
        var one = new OneJob(play, large);
        one.runs(ElasticJobs.elastic("default", 2, 8, 8));
        for (int i = 3; i < 8; i++) {
            one.gone(i);
        }
        play.passHeard(Duration.ofMinutes(1), 0);
        for (int i = 1; i < 3; i++) {
            one.gone(i);
        }
        play.passHeard(Duration.ofMinutes(1), 0);
        one.seeNewest(1, PodPhase.RUNNING, null);
        one.seeNewest(2, PodPhase.RUNNING, null);
        play.on(new Event.Submitted(head, workers(5, 1), null));
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).containsExactly(large);
        for (int i = 0; i < 3; i++) {
            assertThat(one.rank(i).isLeaving()).isFalse();
        }
        assertThat(leaving(play, large)).isEqualTo(5);
    }

    @Test
    void whatItsGangCannotDoWithoutIsGivenBackLast() {
        var play = Play.withNodes(8);
        var one = new OneJob(play, large);
        one.runs(ElasticJobs.critical(7, ElasticJobs.elastic("default", 2, 8, 8)));
        play.on(new Event.Submitted(head, workers(5, 1), null));
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).containsExactly(large);
        assertThat(leaving(play, large)).isEqualTo(5);
        assertThat(one.rank(7).isLeaving()).isFalse();
    }

    /** Its end is near, and is awaited of all: nothing of it is lent any more. */
    @Test
    void nothingIsGivenBackWhereTheFirstHasDoneItsWork() {
        var play = Play.withNodes(4);
        var one = new OneJob(play, large);
        one.runs(ElasticJobs.elastic("default", 1, 4, 4));
        one.succeed(1);
        play.on(new Event.Submitted(head, workers(2, 1), null));
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).isEmpty();
        assertThat(leaving(play, large)).isZero();
        for (int i : List.of(0, 2, 3)) {
            one.succeed(i);
        }
        assertThat(play.job(large).state().phase()).isEqualTo(Phase.SUCCEEDED);
        assertThat(play.job(head).state()).isInstanceOf(JobState.Starting.class);
    }
}
