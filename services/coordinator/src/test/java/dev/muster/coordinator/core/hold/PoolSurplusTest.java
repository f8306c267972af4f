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
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.simulation.Chance;
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

    /** Nobody makes them again: without the others nobody would be left to do the work. */
    @Test
    void ignoredCountForNothingOfTheMinimum() {
        var play = Play.withNodes(4);
        var one = new OneJob(play, large);
        one.runs(ignoring(ElasticJobs.elastic("default", 2, 4, 4)));
        one.fail(0, 1);
        one.fail(1, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        play.on(new Event.Submitted(head, workers(1, 4), null));
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).isEmpty();
        assertThat(play.job(large).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void onlyWhatIsBeyondTheMinimumIsGivenBackBesideIgnored() {
        var play = Play.withNodes(4);
        var one = new OneJob(play, large);
        one.runs(ignoring(ElasticJobs.elastic("default", 1, 4, 4)));
        one.fail(0, 1);
        one.fail(1, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        play.on(new Event.Submitted(head, workers(1, 3), null));
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).containsExactly(large);
        assertThat(leaving(play, large)).isEqualTo(1);
        assertThat(one.rank(3).isLeaving()).isTrue();
    }

    @Test
    void lastOfAJobStaysWhereItsFirstIsIgnored() {
        var play = Play.withNodes(2);
        var one = new OneJob(play, large);
        one.runs(ignoring(ElasticJobs.elastic("default", 1, 2, 2)));
        one.fail(0, 1);
        play.passHeard(FailurePolicy.PLAIN.settle(), 0);
        play.on(new Event.Submitted(head, workers(1, 2), null));
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).isEmpty();
        assertThat(one.rank(1).isLeaving()).isFalse();
    }

    /** What has failed is given back before it is known that it counts for nothing. */
    @Test
    void whoMayBeIgnoredCountsForNothingOfTheMinimum() {
        var play = Play.withNodes(4);
        var one = new OneJob(play, large);
        one.runs(ignoring(ElasticJobs.elastic("default", 2, 4, 4)));
        play.on(new Event.Submitted(head, workers(1, 2), null));
        play.passHeard(QueueSpecs.QUEUE.order().reserveAfter().minusSeconds(3), 0);
        one.fail(0, 1);
        one.fail(1, 1);
        play.pass(Duration.ofSeconds(6));
        assertThat(play.rows(Row.Table.HOLD)).hasSize(1);
        for (int i = 2; i < 4; i++) {
            assertThat(one.rank(i).isLeaving()).isFalse();
        }
    }

    /** Else one after another would come back into what is given back. */
    @Test
    void ranksWithoutRoomLeaveWithWhatIsGivenBack() {
        var play = Play.withNodes(3, 3);
        var one = new OneJob(play, large);
        one.runs(ElasticJobs.elastic("default", 2, 6, 6));
        var node = one.rank(5).making().node();
        play.on(new Event.NodeReleased(WATCHER, node));
        for (int i = 3; i < 6; i++) {
            assertThat(one.rank(i).making().node()).isEqualTo(node);
            one.gone(i);
        }
        play.passHeard(Duration.ofMinutes(1), 0);
        play.on(new Event.Submitted(head, workers(1, 1), null));
        play.takeEffects();
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).containsExactly(large);
        assertThat(one.rank(2).isLeaving()).isTrue();
        one.gone(2);
        assertThat(play.job(head).state()).isInstanceOf(JobState.Starting.class);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(preempted(play)).isEmpty();
        assertThat(play.ranks(large)).extracting(rank -> rank.id().index()).containsExactly(0, 1);
    }

    /** Nor does anybody come back by force whose pod is left on a dead node. */
    @Test
    void ranksToBeForcedLeaveWithWhatIsGivenBack() {
        var play = Play.withNodes(1, 1, 1, 1);
        var one = new OneJob(play, large);
        var lostAfter = Duration.ofMinutes(1);
        one.runs(forcing(lostAfter, ElasticJobs.elastic("default", 1, 4, 4)));
        var dead = one.rank(3).making().node();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(dead, 1)));
        play.passHeard(lostAfter.plusMinutes(2), 0);
        assertThat(one.rank(3).state()).isEqualTo(RankState.RETURNING);
        play.on(new Event.Submitted(head, workers(1, 1), null));
        play.takeEffects();
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).containsExactly(large);
        assertThat(leaving(play, large)).isEqualTo(2);
        one.gone(2);
        assertThat(play.job(head).state()).isInstanceOf(JobState.Starting.class);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(preempted(play)).isEmpty();
        assertThat(play.ranks(large))
                .filteredOn(rank -> !rank.isLeaving())
                .extracting(rank -> rank.id().index())
                .containsExactly(0, 1);
    }

    /** By its job's policy, whose end does not wait for it. */
    @Test
    void whoLeavesADeadNodeIsForcedThere() {
        var play = Play.withNodes(1, 1, 1, 1);
        var one = new OneJob(play, large);
        var lostAfter = Duration.ofMinutes(1);
        one.runs(forcing(lostAfter, ElasticJobs.elastic("default", 1, 4, 4)));
        var dead = one.rank(3).making().node();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(dead, 1)));
        play.passHeard(lostAfter.plusMinutes(2), 0);
        play.on(new Event.Submitted(head, workers(1, 1), null));
        play.passHeard(WAIT, 0);
        assertThat(play.take(Effect.RunPlan.class).getLast().forced())
                .containsExactly(ForcedPods.of(one.rank(3).id()));
        one.gone(2);
        for (int i = 0; i < 2; i++) {
            one.succeed(i);
        }
        assertThat(play.job(large).state().phase()).isEqualTo(Phase.SUCCEEDED);
    }

    /** One that may not leave would come into what is given back, and then too few would run. */
    @Test
    void ranksWithoutRoomCountForNothingOfTheMinimum() {
        var play = Play.withNodes(2, 2);
        var one = new OneJob(play, large);
        one.runs(ElasticJobs.elastic("default", 2, 4, 4));
        play.on(new Event.NodeReleased(WATCHER, one.rank(0).making().node()));
        one.gone(0);
        one.gone(1);
        play.passHeard(Duration.ofMinutes(1), 0);
        play.on(new Event.Submitted(head, workers(1, 1), null));
        play.passHeard(WAIT, 0);
        assertThat(preempted(play)).isEmpty();
        for (int i = 2; i < 4; i++) {
            assertThat(one.rank(i).isLeaving()).isFalse();
        }
    }

    private static JobSpec forcing(Duration lostAfter, JobSpec spec) {
        return Fixtures.failing(Fixtures.losing(lostAfter, true, spec.work().failure()), spec);
    }

    private static JobSpec ignoring(JobSpec spec) {
        var on1 = List.of(new FailurePolicy.ExitCodes(1, 1));
        var rule = new FailurePolicy.Rule(on1, List.of(), null, new Action.Ignore());
        return Fixtures.failing(Fixtures.policy(FailurePolicy.Otherwise.POD, rule), spec);
    }
}
