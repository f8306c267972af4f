package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.SetReplicas;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Scaling.Stage;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.nodes.GoingNodes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Elastic jobs grow into what nobody needs who waits. */
class PoolGrowthTest {
    private static final int MEDIUM = 5;

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private final JobId other = job("other", 2);
    private final JobId waiting = job("waiting", 3);

    /** It runs with two, and two cores of its node are free; the other node is full. */
    private void running() {
        one.runs(at(MEDIUM, elastic("default", 2, 2, 8)));
        new OneJob(play, other).runs(workers(1, 4));
    }

    @Test
    void nobodyGrowsIntoWhatAGangOfTheSamePriorityWaitsFor() {
        running();
        submit(at(MEDIUM, workers(4, 1)));
        wish(8);
        assertThat(members()).isEqualTo(2);
        assertThat(scaling().stage()).isEqualTo(Stage.WAITING);
        ends(other);
        assertThat(play.job(waiting).state()).isInstanceOf(JobState.Starting.class);
        assertThat(members()).isEqualTo(4);
    }

    @Test
    void jobThatMayGrowByThousandsDoesSoInSteps() {
        var wide = Play.withNodes(LongStream.range(0, 25).map(_ -> 100).toArray());
        wide.on(new Event.Submitted(a, elastic("default", 1, 2500, 2500), null));
        assertThat(wide.ranks(a)).hasSize(2500);
        assertThat(wide.mostRows()).isLessThan(2100);
    }

    @Test
    void gangThatWaitsIsServedThoughGrowthIsAsOldAndSmall() {
        running();
        wish(3);
        submit(at(MEDIUM, workers(2, 1)));
        assertThat(members()).isEqualTo(3);
        assertThat(play.job(waiting).state()).isInstanceOf(JobState.Queued.class);
        wish(8);
        assertThat(members()).isEqualTo(3);
    }

    @Test
    void weakerClaimIsNoHindrance() {
        running();
        submit(at(MEDIUM - 1, workers(4, 1)));
        wish(8);
        assertThat(members()).isEqualTo(4);
    }

    @Test
    void whoCouldNotUseTheRoomIsNoHindrance() {
        running();
        submit(at(MEDIUM, workers(1, 5)));
        wish(3);
        assertThat(members()).isEqualTo(3);
        play.on(new Event.NodeSeen(WATCHER, Nodes.inRack("racked", 1, "r")));
        var inRack = NodeFilter.of(new TreeMap<>(Map.of("rack", "r")), List.of(), List.of());
        var role = Fixtures.role("worker", 2, Fixtures.cpu(1), inRack);
        play.on(
                new Event.Submitted(
                        job("racked", 4), at(MEDIUM, Fixtures.spec("default", role)), null));
        wish(4);
        assertThat(members()).isEqualTo(4);
    }

    /** It would go to the fullest node, for which somebody waits; the other room is nobody's. */
    @Test
    void nodeThatSomebodyNeedsKeepsNobodyFromGrowingOntoOthers() {
        running();
        play.on(new Event.NodeSeen(WATCHER, Nodes.inRack("racked", 2, "r")));
        play.on(new Event.Submitted(job("first", 4), at(MEDIUM, inRack(1)), null));
        submit(at(MEDIUM, inRack(2)));
        assertThat(play.job(waiting).state()).isInstanceOf(JobState.Queued.class);
        wish(3);
        assertThat(members()).isEqualTo(3);
        assertThat(ranks()).noneMatch(rank -> rank.making().node().equals("racked"));
        wish(8);
        assertThat(members()).isEqualTo(4);
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::message)
                .containsExactly("worker has 4 of 8 that are wished: ml/waiting waits for room");
    }

    @Test
    void whatIsToComeTogetherGoesWhereNobodyNeedsAnyOfItsNodes() {
        running();
        play.on(new Event.NodeSeen(WATCHER, Nodes.inRack("racked", 4, "r")));
        play.on(new Event.Submitted(job("first", 4), at(MEDIUM, inRack(1)), null));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("small", 1)));
        submit(at(MEDIUM, inRack(4)));
        play.on(new Event.ChangeAsked(a, new Change.ScaleOut("worker", 3, Terms.PLAIN), null));
        assertThat(ranks())
                .extracting(rank -> rank.making().node())
                .containsExactlyInAnyOrder("node-0", "node-0", "node-0", "node-0", "small");
    }

    private static JobSpec inRack(long cores) {
        var inRack = NodeFilter.of(new TreeMap<>(Map.of("rack", "r")), List.of(), List.of());
        var role = Fixtures.role("worker", 1, Fixtures.cpu(cores), inRack);
        return Fixtures.spec("default", role);
    }

    @Test
    void whoLacksMoreThanRoomIsNoHindrance() {
        running();
        play.on(new Event.QueuePut("small", QueueSpecs.limited(2), null));
        submit(at(MEDIUM, Fixtures.spec("small", Fixtures.role("worker", 4, 1))));
        wish(8);
        assertThat(members()).isEqualTo(4);
    }

    @Test
    void jobGrowsOnceNobodyNeedsTheRoomAnyMore() {
        for (var change :
                List.of(
                        new Change.Cancel(null, ""),
                        new Change.Hold(""),
                        new Change.Suspend(null, ""),
                        new Change.Prioritise(MEDIUM - 1))) {
            var anew = new PoolGrowthTest();
            anew.running();
            anew.submit(at(MEDIUM, workers(4, 1)));
            anew.wish(8);
            assertThat(anew.members()).isEqualTo(2);
            anew.play.on(new Event.ChangeAsked(anew.waiting, change, null));
            assertThat(anew.members()).as(change.toString()).isEqualTo(4);
        }
    }

    @Test
    void nobodyGrowsIntoWhatTheHolderWaitsFor() {
        running();
        submit(at(MEDIUM, workers(2, 3)));
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(play.rows.get(Row.Table.HOLD)).hasSize(1);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 2)));
        wish(8);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-3", 3)));
        // Nothing of its pods would fit the second node, however empty it was.
        assertThat(ranks()).filteredOn(r -> r.making().node().equals("node-2")).hasSize(2);
        assertThat(play.job(waiting).state()).isInstanceOf(JobState.Queued.class);
        assertThat(ranks()).noneMatch(rank -> rank.making().node().equals("node-3"));
    }

    @Test
    void whatIsGivenBackToAHolderIsNotTakenAgainWhileAnotherWaits() {
        one.runs(elastic("default", 2, 8, 8));
        submit(workers(3, 1));
        var next = job("next", 4);
        play.on(new Event.Submitted(next, workers(6, 1), null));
        play.passHeard(Duration.ofMinutes(6), 0);
        leave();
        assertThat(play.job(waiting).state()).isInstanceOf(JobState.Starting.class);
        ends(waiting);
        assertThat(play.job(next).state()).isInstanceOf(JobState.Queued.class);
        assertThat(members()).isEqualTo(5);
    }

    @Test
    void gangOfFixedSizeComesToItsSizeWhoeverWaits() {
        new OneJob(play, other).runs(workers(1, 4));
        var gang = Fixtures.spec("default", Fixtures.atLeast(1, Fixtures.role("worker", 4, 1)));
        submit(workers(5, 1));
        play.on(new Event.Submitted(a, gang, null));
        assertThat(members()).isEqualTo(4);
    }

    /** Their next pods need the same; only the older one leaves the room to who waits. */
    @Test
    void gangOfFixedSizeIsNotKeptBackByAnElasticOneThatIsAlike() {
        new OneJob(play, other).runs(workers(1, 4));
        submit(workers(8, 1));
        var fixed = job("fixed", 4);
        play.on(new Event.Submitted(a, elastic("default", 1, 2, 2), null));
        var gang = Fixtures.spec("default", Fixtures.atLeast(1, Fixtures.role("worker", 2, 1)));
        play.on(new Event.Submitted(fixed, gang, null));
        assertThat(members()).isEqualTo(1);
        assertThat(ranksOf(fixed)).hasSize(2);
    }

    @Test
    void rankThatLeavesANodeComesElsewhereWhoeverWaits() {
        one.runs(elastic("default", 2, 3, 3));
        new OneJob(play, other).runs(workers(1, 4));
        submit(workers(8, 1));
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 4)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));
        leave();
        play.passHeard(GoingNodes.CHECK_INTERVAL.multipliedBy(2), 0);
        leave();
        play.passHeard(GoingNodes.CHECK_INTERVAL.multipliedBy(2), 0);
        leave();
        // Only rank 0, which does not leave alone, is where it was.
        assertThat(ranks())
                .filteredOn(rank -> rank.making().node().equals("node-0"))
                .extracting(rank -> rank.id().index())
                .containsExactly(0);
        assertThat(members()).isEqualTo(2);
    }

    @Test
    void restoredPoolHoldsGrowthBackAsWell() {
        running();
        submit(at(MEDIUM, workers(4, 1)));
        play.restart();
        wish(8);
        assertThat(members()).isEqualTo(2);
    }

    /** Within one moment of the pool, which looks for who waits once. */
    @Test
    void restoredPoolFindsWhoWaitsWherePrioritiesGrowAsWell() {
        play.on(new Event.PoolPut("default", Fixtures.aging(Duration.ofMinutes(1), 1000), null));
        running();
        submit(at(MEDIUM, workers(4, 1)));
        wish(3);
        play.restart();
        wish(8);
        assertThat(members()).isEqualTo(2);
        play.on(new Event.ChangeAsked(waiting, new Change.Prioritise(MEDIUM - 1), null));
        assertThat(members()).isEqualTo(4);
    }

    @Test
    void whoAsksIsToldForWhomItDoesNotGrow() {
        running();
        submit(at(MEDIUM, workers(4, 1)));
        wish(8);
        var reason = play.explain(a).orElseThrow().reasons().getFirst();
        assertThat(reason.code()).isEqualTo(WaitReason.Code.BEHIND_HEAD);
        assertThat(reason.message())
                .isEqualTo("worker has 2 of 8 that are wished: ml/waiting waits for room");
    }

    private void submit(JobSpec spec) {
        play.on(new Event.Submitted(waiting, spec, null));
    }

    private void wish(int size) {
        var terms = new Terms(Duration.ZERO, false, Duration.ZERO, false);
        play.on(new Event.ChangeAsked(a, new SetReplicas("worker", size, terms), null));
    }

    private void ends(JobId id) {
        play.on(Fixtures.cancel(id, "", null));
        ranksOf(id).forEach(rank -> play.on(new Event.PodGone(WATCHER, id, mark(rank))));
        for (var confirm : List.of(false, true)) {
            if (play.jobs().contains(id)) {
                play.on(
                        new Event.PlanApplied(
                                id, play.job(id).fences().plan(), confirm, List.of()));
            }
        }
    }

    /** Whoever is taken out is gone, and what came since runs. */
    private void leave() {
        for (var rank : ranks()) {
            if (rank.isLeaving()) {
                play.on(new Event.PodGone(WATCHER, a, mark(rank)));
            } else if (rank.state() == RankState.ORDERED) {
                one.seeNewest(rank.id().index(), PodPhase.RUNNING, null);
            }
        }
    }

    private static Event.PodMark mark(Rank rank) {
        var making = rank.making();
        var uid = rank.sight().podUid();
        return new Event.PodMark(
                rank.id(), making.attempt(), making.incarnation(), 1, uid == null ? "x" : uid);
    }

    private List<Rank> ranksOf(JobId id) {
        return play.allRows()
                .filter(row -> row instanceof Rank rank && rank.job().equals(id))
                .map(Rank.class::cast)
                .toList();
    }

    private List<Rank> ranks() {
        return ranksOf(a);
    }

    private long members() {
        return ranks().stream().filter(rank -> !rank.isLeaving()).count();
    }

    private Scaling scaling() {
        return play.job(a).past().scaling();
    }
}
