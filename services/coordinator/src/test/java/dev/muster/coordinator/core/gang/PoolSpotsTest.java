package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.fixtures.SpotPods;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Roles of changing size that may have spot pods: which pods those are. */
class PoolSpotsTest {
    private static final Duration LOST =
            FailurePolicy.PLAIN.nodeLost().after().plus(Duration.ofMinutes(2));

    private final Play play = new Play();
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    PoolSpotsTest() {
        play.on(new Event.PoolPut("default", SpotPods.pool(PoolSpec.PLAIN), null));
        play.on(new Event.QueuePut("default", QueueSpecs.QUEUE, null));
        play.on(new Event.SnapshotBegin(WATCHER, "first"));
        play.on(new Event.SnapshotEnd(WATCHER, "first"));
    }

    private void nodes(long... cores) {
        for (int i = 0; i < cores.length; i++) {
            play.on(new Event.NodeSeen(WATCHER, Fixtures.node("plain-" + i, cores[i])));
        }
    }

    private void spots(long cores) {
        play.on(new Event.NodeSeen(WATCHER, SpotPods.node("spot", cores)));
    }

    /** Of workers of one core, two of which may be spot pods. */
    private static JobSpec workers(int min, int wished) {
        var worker = SpotPods.spot(2, Fixtures.role("worker", wished, 1));
        return ElasticJobs.elastic(min, 8, Fixtures.spec("default", Fixtures.atLeast(min, worker)));
    }

    private void size(int replicas) {
        play.on(new Event.ChangeAsked(a, new SetReplicas("worker", replicas, Terms.PLAIN), null));
        play.pass(Jobs.PUBLISH_DELAY);
    }

    private List<Rank> members() {
        return play.ranks(a).stream().filter(rank -> !rank.isLeaving()).toList();
    }

    /** Who is where, members alone; it is on a spot node if and only if it is a spot pod. */
    private List<String> placed() {
        assertThat(members())
                .allMatch(rank ->
                        rank.making().node().equals("spot")
                                == Boolean.TRUE.equals(rank.making().spot()));
        return members().stream()
                .map(rank -> rank.id().index() + "@" + rank.making().node())
                .toList();
    }

    @Test
    void roleThatGrowsGetsPodsOnDemandBesideItsSpotPodsAndThePlanSaysWhichAreWhich() {
        nodes(8);
        spots(8);
        one.runs(workers(2, 4));
        assertThat(placed()).containsExactly("0@plain-0", "1@plain-0", "2@spot", "3@spot");
        play.restart();
        size(8);
        assertThat(placed())
                .contains("2@spot", "3@spot", "4@plain-0", "5@plain-0", "6@plain-0", "7@plain-0");
        assertThat(play.take(Effect.RunPlan.class).getLast().pods())
                .extracting(Effect.PlannedPod::spot)
                .containsExactly(false, false, true, true, false, false, false, false);
    }

    /** As with policy capacity: the maximum is wished from the first. */
    @Test
    void lastOnesOfTheWishedSizeAreSpotPodsHoweverFewThereAre() {
        nodes(3);
        spots(8);
        play.on(new Event.Submitted(a, workers(2, 8), null));
        assertThat(placed()).containsExactly("0@plain-0", "1@plain-0", "2@plain-0");
        one.applied(false);
        nodes(3, 8);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(placed()).hasSize(8).endsWith("5@plain-1", "6@spot", "7@spot");
    }

    /** An index that comes free may be the first one, and the next pod is a spot pod still. */
    @Test
    void whatLeftByItsNameComesBackAsWhatTheRoleLacks() {
        nodes(8);
        spots(8);
        one.runs(workers(2, 4));
        var spot = new TreeSet<>(Set.of("worker-2"));
        play.on(new Event.ChangeAsked(a, new ScaleIn("worker", 0, spot, Terms.PLAIN), null));
        one.gone(2);
        size(5);
        assertThat(placed())
                .containsExactly("0@plain-0", "1@plain-0", "2@plain-0", "3@spot", "4@spot");
    }

    @Test
    void roleThatShrankKeepsItsPodsOnDemandAlsoWhereOneIsMadeAgain() {
        nodes(8);
        spots(8);
        one.runs(workers(2, 4));
        size(2);
        one.gone(3);
        one.gone(2);
        play.restart();
        one.fail(1, 137);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(one.rank(1).making().incarnation()).isGreaterThan(4);
        assertThat(placed()).containsExactly("0@plain-0", "1@plain-0");
        one.seeNewest(1, PodPhase.RUNNING, null);
        size(4);
        assertThat(placed()).containsExactly("0@plain-0", "1@plain-0", "2@spot", "3@spot");
    }

    @Test
    void inThePlaceOfOneOnDemandComesOneOnDemandThoughItsIndexIsALaterOne() {
        nodes(1, 1, 1);
        spots(2);
        one.runs(workers(2, 4));
        var dead = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(dead, 1)));
        play.passHeard(LOST, 0);
        assertThat(placed()).containsExactly("0@plain-0", "2@spot", "3@spot", "4@plain-2");
        play.restart();
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::code)
                .containsExactly(WaitReason.Code.NODE_LOST);
    }

    @Test
    void inThePlaceOfASpotPodComesASpotPod() {
        nodes(8);
        spots(2);
        one.runs(workers(2, 4));
        play.on(new Event.NodeSeen(WATCHER, SpotPods.onSpot(Chance.unready("spot", 2))));
        play.on(new Event.NodeSeen(WATCHER, SpotPods.node("spot-1", 1)));
        play.passHeard(LOST, 0);
        assertThat(members())
                .extracting(rank -> rank.id().index() + "@" + rank.making().node())
                .containsExactly("0@plain-0", "1@plain-0", "4@spot-1");
    }

    /** It is at its minimum: the other has to come first, beside all that are there. */
    @Test
    void whoLeavesANodeIsFollowedByOneOfItsKind() {
        nodes(1, 1, 1);
        spots(4);
        one.runs(workers(4, 4));
        var going = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned(going, 1)));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(placed()).containsExactly("0@plain-0", "2@spot", "3@spot", "4@plain-2");
    }

    @Test
    void podThatItsNodeWouldNotHaveGoesToAnotherAsWhatItIs() {
        nodes(1, 1, 1);
        spots(4);
        play.on(new Event.Submitted(a, workers(2, 4), null));
        var pod = Fixtures.pod(OneJob.mark(1), one.nextVersion(), PodPhase.PENDING, null, null);
        play.on(new Event.PodSeen(WATCHER, a, pod));
        play.passHeard(Duration.ofMinutes(2), 0);
        assertThat(placed()).containsExactly("0@plain-0", "1@plain-2", "2@spot", "3@spot");
    }
}
