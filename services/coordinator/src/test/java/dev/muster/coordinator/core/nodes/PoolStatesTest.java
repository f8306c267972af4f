package dev.muster.coordinator.core.nodes;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.PoolNodes;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Suspicion;
import dev.muster.coordinator.core.state.PoolRoom;
import dev.muster.coordinator.core.state.QueueStates;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of a pool's nodes. */
class PoolStatesTest {
    private final Play play = Play.withNodes(4, 4, 4);

    private final Amounts two = Fixtures.node("any", 4).allocatable().times(2);
    private final Amounts three = Fixtures.node("any", 4).allocatable().times(3);

    private void loses(String name) {
        var node = Fixtures.node(name, 4);
        play.on(
                new Event.NodeSeen(
                        WATCHER,
                        new Node(
                                name,
                                1,
                                node.labels(),
                                List.of(),
                                false,
                                false,
                                node.allocatable(),
                                0)));
    }

    @Test
    void nodesAreNamedByHowMuchIsHeldAgainstThemTheMostFirst() {
        loses("node-0");
        play.passHeard(Duration.ofMinutes(5), 0);
        loses("node-2");
        loses("node-1");
        play.takeEffects();
        play.passHeard(SuspectNodes.GATHER_WITHIN, 0);
        assertThat(play.takeOne(Effect.PoolState.class).suspects())
                .extracting(Suspicion::node)
                .containsExactly("node-1", "node-2", "node-0");
    }

    private PoolNodes told(Duration after) {
        play.takeEffects();
        play.pass(after);
        return play.takeOne(Effect.PoolState.class).nodes();
    }

    @Test
    void nodesAreCountedAndWhatThoseThatAreReadyHave() {
        assertThat(told(SuspectNodes.GATHER_WITHIN)).isEqualTo(new PoolNodes(3, 3, three, three));
        loses("node-1");
        assertThat(told(SuspectNodes.GATHER_WITHIN)).isEqualTo(new PoolNodes(3, 2, two, two));
        play.on(new Event.NodeReleased(WATCHER, "node-1", true));
        assertThat(told(SuspectNodes.GATHER_WITHIN)).isEqualTo(new PoolNodes(2, 2, two, two));
    }

    @Test
    void whatIsFreeIsToldOnlyNowAndThen() {
        told(SuspectNodes.GATHER_WITHIN);
        play.on(new Event.Submitted(job("a", 1), workers(1, 3), null));
        for (var node : List.of("node-0", "node-1", "node-2")) {
            play.on(new Event.OthersUse(WATCHER, node, Fixtures.cpu(4)));
        }
        play.takeEffects();
        play.pass(PoolRoom.GATHER.minus(Duration.ofMillis(1)));
        assertThat(play.take(Effect.PoolState.class)).isEmpty();
        play.pass(Duration.ofMillis(1));
        // Where more is used than there is, nothing is free; and not less.
        var free = play.takeOne(Effect.PoolState.class).nodes().free();
        assertThat(free.get("cpu")).isZero();
        assertThat(free.get("pods")).isEqualTo(three.get("pods") - 4);
    }

    @Test
    void whatIsHeldIsNotFree() {
        told(SuspectNodes.GATHER_WITHIN);
        play.on(new Event.Submitted(job("a", 1), workers(1, 3), null));
        play.on(new Event.Submitted(job("b", 2), workers(1, 3), null));
        play.on(new Event.Submitted(job("c", 3), workers(1, 3), null));
        play.on(new Event.Submitted(job("big", 4), workers(1, 4), null));
        play.passHeard(QueueSpecs.QUEUE.order().reserveAfter(), 0);
        play.takeOne(Effect.Held.class);
        play.passHeard(PoolRoom.GATHER, 0);
        assertThat(last().free().get("cpu")).isEqualTo(2_000); // Of three nodes one is kept.
        play.on(new Event.ChangeAsked(job("big", 4), new Change.Cancel(null, ""), null));
        play.takeEffects();
        play.passHeard(PoolRoom.GATHER, 0);
        assertThat(last().free().get("cpu")).isEqualTo(3_000);
    }

    @Test
    void whatTheLastJobOfAQueueLeavesIsToldThoughItsQueueGoesWithIt() {
        play.on(new Event.QueuePut("q", QueueSpecs.QUEUE, null));
        var one = new OneJob(play, job("a", 1));
        one.runs(spec("q", role("worker", 1, 3)));
        play.on(new Event.QueueDelete("q", true, null));
        play.passHeard(Duration.ofMinutes(1), 0);
        one.succeed(0);
        play.takeOne(Effect.QueueDeleted.class);
        play.restart();
        play.pass(PoolRoom.GATHER);
        assertThat(last().free().get("cpu")).isEqualTo(12_000);
    }

    /** Its queue uses as much, and its job runs as before. */
    @Test
    void podThatIsMadeAgainOnAnotherNodeIsTold() {
        var one = new OneJob(play, job("a", 1));
        var policy = Fixtures.losing(Duration.ofMinutes(2), true, policy(Otherwise.POD));
        one.runs(failing(policy, workers(1, 3)));
        loses(one.rank(0).whereabouts());
        while (one.rank(0).making().incarnation() == 1) {
            play.passHeard(Duration.ofSeconds(5), 0);
        }
        assertThat(play.job(job("a", 1)).state()).isInstanceOf(JobState.Running.class);
        play.takeEffects();
        play.restart();
        play.pass(PoolRoom.GATHER);
        assertThat(last().free().get("cpu")).isEqualTo(5_000);
    }

    /** Others are to go for the one that it is held for, and are there still. */
    @Test
    void whatIsHeldElsewhereFromNowOnIsTold() {
        var rules = new PoolSpec.Preemption(Mode.LOWER_PRIORITY, Duration.ofMinutes(10), 3);
        var pool = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", pool, null));
        play.on(new Event.NodeReleased(WATCHER, "node-2", true));
        new OneJob(play, job("strong", 1)).runs(at(9, workers(1, 2)));
        new OneJob(play, job("weak", 2)).runs(workers(1, 3));
        play.on(new Event.Submitted(job("big", 3), at(5, workers(1, 4)), null));
        play.passHeard(QueueSpecs.QUEUE.order().reserveAfter(), 0);
        play.takeOne(Effect.Held.class);
        play.passHeard(PoolRoom.GATHER, 0);
        assertThat(last().free().get("cpu")).isEqualTo(1_000);
        while (play.job(job("weak", 2)).state() instanceof JobState.Running) {
            play.passHeard(Duration.ofSeconds(1), 0);
        }
        play.takeEffects();
        play.pass(PoolRoom.GATHER);
        assertThat(last().free().get("cpu")).isEqualTo(2_000);
    }

    private PoolNodes last() {
        return play.take(Effect.PoolState.class).getLast().nodes();
    }

    /** Those of before may have told less of them. */
    @Test
    void newRulesTellThePoolAndItsQueuesAnew() {
        told(SuspectNodes.GATHER_WITHIN);
        play.on(new Event.CoreVersion("2"));
        play.passHeard(SuspectNodes.GATHER_WITHIN, 0);
        assertThat(play.takeOne(Effect.PoolState.class).nodes())
                .isEqualTo(new PoolNodes(3, 3, three, three));
    }

    @Test
    void newRulesTellQueuesAnew() {
        play.pass(Duration.ofMinutes(1));
        play.takeEffects();
        play.on(new Event.CoreVersion("2"));
        play.pass(QueueStates.GATHER);
        assertThat(play.takeOne(Effect.QueueState.class).queue().name()).isEqualTo("default");
    }
}
