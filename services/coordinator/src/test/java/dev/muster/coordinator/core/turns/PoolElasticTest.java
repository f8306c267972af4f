package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Budgets;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Elastic jobs among others: what they give back, and nodes that go. */
class PoolElasticTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);
    private final OneJob one = new OneJob(play, a);

    @Test
    void whatIsBeyondTheMinimumIsGivenBackToAHeadThatHasWaitedForLong() {
        one.runs(ElasticJobs.elastic("default", 2, 8, 8));
        play.on(new Event.Submitted(b, Fixtures.workers(3, 1), null));
        assertThat(members()).hasSize(8);
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(members())
                .containsExactly("worker-0", "worker-1", "worker-2", "worker-3", "worker-4");
        assertThat(play.take(Effect.Preempted.class))
                .extracting(Effect.Preempted::message)
                .containsExactly("it gives back worker-7, worker-6, worker-5 for ml/b");
        leave();
        assertThat(play.job(b).state()).isInstanceOf(JobState.Starting.class);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).past().preempted()).isZero();
        play.passHeard(Duration.ofMinutes(6), 0);
        assertThat(members()).hasSize(5);
    }

    @Test
    void nothingIsGivenBackForOneThatCouldNotStartEvenThenOrHasTheWeakerClaim() {
        one.runs(Fixtures.at(5, ElasticJobs.elastic("default", 4, 8, 8)));
        play.on(new Event.Submitted(b, Fixtures.at(5, Fixtures.workers(5, 1)), null));
        play.on(new Event.Submitted(job("c", 3), Fixtures.at(1, Fixtures.workers(1, 1)), null));
        play.passHeard(Duration.ofMinutes(20), 0);
        assertThat(members()).hasSize(8);
    }

    @Test
    void jobGrowsAgainWhenTheRoomIsFree() {
        one.runs(ElasticJobs.elastic("default", 2, 8, 8));
        play.on(new Event.Submitted(b, Fixtures.workers(3, 1), null));
        play.passHeard(Duration.ofMinutes(6), 0);
        leave();
        play.on(Fixtures.cancel(b, "", null));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), false, List.of()));
        play.on(new Event.PlanApplied(b, play.job(b).fences().plan(), true, List.of()));
        assertThat(members()).hasSize(8);
    }

    /** As with policy capacity, by which the maximum is wished from the start. */
    @Test
    void jobThatWishesItsMaximumStartsWithLessAndTakesWhateverRoomComes() {
        var small = Play.withNodes(3);
        var id = job("small", 9);
        small.on(new Event.Submitted(id, ElasticJobs.elastic("default", 2, 8, 8), null));
        assertThat(small.ranks(id)).hasSize(3);
        new OneJob(small, id).applied(false);
        small.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        small.pass(Jobs.PUBLISH_DELAY);
        assertThat(small.ranks(id)).hasSize(7);
        small.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 4)));
        small.pass(Jobs.PUBLISH_DELAY);
        assertThat(small.ranks(id)).hasSize(8);
        assertThat(small.take(Effect.RunPlan.class).getLast().pods()).hasSize(8);
    }

    /** It is in the same phase all the time. */
    @Test
    void whatItsQueueUsesIsPublishedWhenItHasGrown() {
        var small = Play.withNodes(3);
        var id = job("small", 9);
        small.on(new Event.Submitted(id, ElasticJobs.elastic("default", 2, 8, 8), null));
        small.pass(Duration.ofSeconds(2));
        new OneJob(small, id).applied(false);
        small.takeEffects();
        small.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 4)));
        small.pass(Duration.ofSeconds(2));
        var state = small.takeOne(Effect.QueueState.class);
        assertThat(state.used().get("cpu")).isEqualTo(7_000);
    }

    @Test
    void workersLeaveANodeThatIsCordonedAndComeAgainElsewhere() {
        one.runs(ElasticJobs.elastic("default", 2, 4, 8));
        var node = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, cordoned(node)));
        // Not below the minimum at any time: some go first, and the last once others have come.
        assertThat(members()).hasSize(4).contains("worker-0");
        leave();
        assertThat(members()).hasSize(4);
        assertThat(on(node)).containsExactly("worker-0");
        assertThat(play.job(a).past().budgets()).isEqualTo(Budgets.UNTOUCHED);
    }

    @Test
    void noticeOfTheEndOfANodeIsAsGoodAsACordon() {
        one.runs(ElasticJobs.elastic("default", 1, 4, 8));
        var node = one.rank(1).making().node();
        var notice =
                new Node.Taint(
                        "aws-node-termination-handler/spot-itn", "", Node.Effect.NO_SCHEDULE);
        play.on(new Event.NodeSeen(WATCHER, with(node, false, List.of(notice))));
        assertThat(on(node)).containsExactly("worker-0");
    }

    @Test
    void conditionThatAnnouncesTheEndOfANodeIsANoticeAndNobodyComesBackToIt() {
        one.runs(ElasticJobs.elastic("default", 1, 4, 8));
        var node = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, noted(node, "TerminateScheduled", "x")));
        assertThat(on(node)).containsExactly("worker-0");
        leave();
        assertThat(members()).hasSize(4);
        assertThat(on(node)).containsExactly("worker-0");
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 4)));
        play.on(new Event.Submitted(job("b", 2), Fixtures.workers(3, 1), null));
        assertThat(play.job(job("b", 2)).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void poolSaysByWhatANodeGoes() {
        one.runs(ElasticJobs.elastic("default", 1, 4, 8));
        var node = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, noted(node, "TerminateScheduled", "x/leaves")));
        leave();
        play.on(new Event.NodeSeen(WATCHER, noted("node-1", "Other", "x/leaves")));
        assertThat(on("node-1")).hasSize(3);
        play.on(notices("notices.annotations", List.of(), List.of("x/leaves")));
        assertThat(on("node-1")).isEmpty();
        // Both go now; when a condition is no notice any more, and no annotation is, none does.
        play.on(notices("notices", List.of(), List.of()));
        play.pass(Duration.ofMinutes(1));
        leave();
        play.pass(Duration.ofMinutes(1));
        assertThat(members()).hasSize(4);
    }

    private static Event notices(String field, List<String> conditions, List<String> annotations) {
        var spec = Nodes.noticing(new PoolSpec.Notices(List.of(), conditions, annotations));
        return new Event.PoolChange("default", spec, new TreeSet<>(List.of(field)), null);
    }

    private static Node noted(String name, String condition, String annotation) {
        var node = Fixtures.node(name, 4);
        return new Node(
                name,
                node.resourceVersion(),
                node.labels(),
                node.taints(),
                false,
                true,
                node.allocatable(),
                0,
                new Node.Notes(
                        new TreeSet<>(List.of(condition)),
                        new TreeSet<>(List.of(annotation)),
                        false));
    }

    @Test
    void rigidJobStaysWhereItIs() {
        one.runs(Fixtures.workers(4, 1));
        play.on(new Event.NodeSeen(WATCHER, cordoned(one.rank(1).making().node())));
        assertThat(members()).hasSize(4);
    }

    @Test
    void rankThatIsLostIsMadeAgainWhileTheOthersGoOn() {
        one.runs(ElasticJobs.elastic("default", 2, 4, 8));
        int before = one.rank(3).making().incarnation();
        one.gone(3);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(one.rank(3).making().incarnation()).isGreaterThan(before);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(a).fences().attempt()).isEqualTo(1);
    }

    /** Whoever is taken out is gone, and what came since runs. */
    private void leave() {
        for (var rank : ranks()) {
            if (rank.isLeaving()) {
                var mark =
                        new Event.PodMark(
                                rank.id(),
                                rank.making().attempt(),
                                rank.making().incarnation(),
                                1,
                                rank.sight().podUid() == null ? "x" : rank.sight().podUid());
                play.on(new Event.PodGone(WATCHER, a, mark));
            } else if (rank.state() == RankState.ORDERED) {
                one.seeNewest(rank.id().index(), PodPhase.RUNNING, null);
            }
        }
    }

    private List<Rank> ranks() {
        return play.allRows()
                .filter(row -> row instanceof Rank rank && rank.job().equals(a))
                .map(Rank.class::cast)
                .toList();
    }

    private List<String> members() {
        return ranks().stream()
                .filter(rank -> !rank.isLeaving())
                .map(rank -> rank.id().toString())
                .toList();
    }

    private List<String> on(String node) {
        return ranks().stream()
                .filter(rank -> !rank.isLeaving() && rank.making().node().equals(node))
                .map(rank -> rank.id().toString())
                .toList();
    }

    private static Node cordoned(String name) {
        return with(name, true, List.of());
    }

    private static Node with(String name, boolean unschedulable, List<Node.Taint> taints) {
        var node = Fixtures.node(name, 4);
        return new Node(
                name,
                node.resourceVersion(),
                new TreeMap<>(node.labels()),
                taints,
                unschedulable,
                true,
                node.allocatable(),
                0);
    }
}
