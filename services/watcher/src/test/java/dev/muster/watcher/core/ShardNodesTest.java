package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.foreign;
import static dev.muster.watcher.core.Cluster.inPhase;
import static dev.muster.watcher.core.Cluster.node;
import static dev.muster.watcher.core.Cluster.ours;
import static dev.muster.watcher.core.ShardAtNoon.DEFAULT;
import static dev.muster.watcher.core.ShardAtNoon.GPU;
import static dev.muster.watcher.core.ShardAtNoon.NOON;
import static dev.muster.watcher.core.ShardAtNoon.ONE;
import static dev.muster.watcher.core.ShardAtNoon.ONE_CPU;
import static dev.muster.watcher.core.ShardAtNoon.REST;
import static dev.muster.watcher.core.ShardAtNoon.TWO;
import static dev.muster.watcher.core.ShardAtNoon.newVersion;
import static dev.muster.watcher.core.ShardAtNoon.nodeSeen;
import static dev.muster.watcher.core.ShardAtNoon.podSeen;
import static dev.muster.watcher.core.ShardAtNoon.seen;
import static dev.muster.watcher.core.ShardAtNoon.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.watcher.core.Effect.Confirm;
import dev.muster.watcher.core.Effect.WarnOfOverlap;
import dev.muster.watcher.core.Report.NodeReleased;
import dev.muster.watcher.core.Report.NodeSeen;
import dev.muster.watcher.core.Report.OthersUsed;
import dev.muster.watcher.core.Report.SnapshotBegin;
import dev.muster.watcher.core.Report.SnapshotEnd;
import dev.muster.watcher.core.ShardEvent.Confirmed;
import dev.muster.watcher.core.ShardEvent.Kind;
import dev.muster.watcher.core.ShardEvent.LeaseLost;
import dev.muster.watcher.core.ShardEvent.Listed;
import dev.muster.watcher.core.ShardEvent.NodeDeleted;
import dev.muster.watcher.core.ShardEvent.NodeLeaseDeleted;
import dev.muster.watcher.core.ShardEvent.NodeRenewed;
import dev.muster.watcher.core.ShardEvent.PodDeleted;
import dev.muster.watcher.core.ShardEvent.PoolsChanged;
import dev.muster.watcher.core.ShardEvent.SendFailed;
import dev.muster.watcher.core.ShardEvent.Tick;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardNodesTest {
    private final ShardAtNoon noon = new ShardAtNoon(0);

    @Test
    void onlyShardZeroTellsOfNodes() {
        var noon = new ShardAtNoon(3);
        noon.on(seen(node("n1", "gpu=yes")));
        assertThat(noon.ready(TWO))
                .containsExactly(
                        to(GPU, new SnapshotBegin("3-7-1")),
                        to(GPU, new OthersUsed("n1", Map.of())),
                        to(GPU, new SnapshotEnd("3-7-1")),
                        to(REST, new SnapshotBegin("3-7-2")),
                        to(REST, new SnapshotEnd("3-7-2")));
        assertThat(noon.on(seen(node("n1"))))
                .containsExactly(to(REST, new OthersUsed("n1", Map.of())));
        assertThat(noon.on(new NodeDeleted("n1"))).isEmpty();
    }

    @Test
    void whatOthersUseIsToldToTheNodesPool() {
        noon.ready(ONE);
        noon.on(seen(node("n1")));
        assertThat(noon.on(seen(foreign("f", "n1", "1"))))
                .containsExactly(to(DEFAULT, new OthersUsed("n1", ONE_CPU)));
        assertThat(noon.on(seen(foreign("g", "unknown", "1")))).isEmpty();
        assertThat(noon.on(new PodDeleted(Pods.nameOf(foreign("f", "n1", "1"))))).isEmpty();
        assertThat(noon.shard.nextDue()).isEqualTo(NOON.plusSeconds(1));
        assertThat(noon.at(NOON.plusSeconds(1), new Tick()))
                .containsExactly(to(DEFAULT, new OthersUsed("n1", Map.of())));
    }

    @Test
    void aNodeIsToldWhenSomethingOfItChanged() {
        noon.ready(ONE);
        assertThat(noon.on(seen(node("n1"))))
                .containsExactly(
                        to(DEFAULT, new OthersUsed("n1", Map.of())),
                        to(DEFAULT, nodeSeen(node("n1"))));
        assertThat(noon.on(seen(newVersion(node("n1"))))).isEmpty();
        assertThat(noon.on(seen(node("n1", "zone=a"))))
                .containsExactly(to(DEFAULT, nodeSeen(node("n1", "zone=a"))));
        assertThat(noon.on(new NodeDeleted("n1")))
                .containsExactly(
                        to(DEFAULT, new NodeReleased("n1", false)), new Confirm("default"));
    }

    @Test
    void aNodeThatCeasesToRenewItsLeaseIsToldOnceAndOnceMoreWhenItIsHeardAgain() {
        noon.on(seen(node("n1")));
        noon.on(seen(node("n2")));
        noon.ready(ONE);
        for (int i = 0; i <= 3; i++) {
            var at = NOON.plusSeconds(i);
            assertThat(noon.at(at, renewed("n1", i))).isEmpty();
            assertThat(noon.at(at, renewed("n2", i))).isEmpty();
        }
        assertThat(noon.at(NOON.plusSeconds(4), renewed("n1", 4))).isEmpty();
        assertThat(noon.shard.nextDue()).isEqualTo(NOON.plusMillis(4200));
        assertThat(noon.at(NOON.plusMillis(4200), new Tick()))
                .containsExactly(to(DEFAULT, silent("n2")));
        assertThat(noon.at(NOON.plusMillis(4300), seen(newVersion(node("n2"))))).isEmpty();
        assertThat(noon.wins(NOON.plusMillis(4400), 9))
                .contains(
                        to(DEFAULT, nodeSeen(node("n1"))),
                        to(DEFAULT, new NodeSeen(Nodes.read(newVersion(node("n2"))).silent(true))));
        assertThat(noon.at(NOON.plusMillis(4500), renewed("n2", 45)))
                .containsExactly(to(DEFAULT, nodeSeen(newVersion(node("n2")))));
        assertThat(noon.at(NOON.plusMillis(4600), renewed("n2", 46))).isEmpty();
    }

    @Test
    void aNodeWhoseLeaseIsDeletedIsNotCalledSilentAnyMore() {
        noon.on(seen(node("n1")));
        noon.on(seen(node("n2")));
        noon.ready(ONE);
        for (int i = 0; i <= 1; i++) {
            noon.at(NOON.plusSeconds(i), renewed("n1", i));
            noon.at(NOON.plusSeconds(i), renewed("n2", i));
        }
        assertThat(noon.at(NOON.plusMillis(2200), renewed("n1", 2)))
                .containsExactly(to(DEFAULT, silent("n2")));
        assertThat(noon.at(NOON.plusMillis(2300), new NodeLeaseDeleted("n2")))
                .containsExactly(to(DEFAULT, nodeSeen(node("n2"))));
    }

    private static ShardEvent renewed(String node, int second) {
        return new NodeRenewed(node, "at " + second, Duration.ofSeconds(4));
    }

    private static Report silent(String node) {
        return new NodeSeen(Nodes.read(node(node)).silent(true));
    }

    @Test
    void aPoolThatTakesMoreNodesHearsOfThem() {
        noon.ready(new Pools(List.of(GPU)));
        noon.on(seen(node("n1", "tpu=yes")));
        var wider = new Pool("gpu", 0, Map.of(), false, false);
        assertThat(noon.on(new PoolsChanged(new Pools(List.of(wider)))))
                .containsExactly(
                        to(wider, new OthersUsed("n1", Map.of())),
                        to(wider, nodeSeen(node("n1", "tpu=yes"))));
    }

    @Test
    void aNodeThatMovesIsToldToTheNewPoolWhenTheOldOneHasHeard() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.ready(TWO);
        var narrower = new Pool("gpu", 0, Map.of("gpu", "best"), false, false);
        assertThat(noon.on(new PoolsChanged(TWO.with(narrower))))
                .containsExactly(to(GPU, new NodeReleased("n1", true)), new Confirm("gpu"));
        assertThat(noon.on(seen(foreign("f", "n1", "1")))).isEmpty();
        assertThat(noon.on(new Confirmed("gpu")))
                .containsExactly(
                        to(REST, new OthersUsed("n1", ONE_CPU)),
                        to(REST, nodeSeen(node("n1", "gpu=yes"))));
    }

    /** Its number is higher, and the other pool names no labels. */
    @Test
    void aPoolThatIsAddedGetsItsNodesAndPodsThatRunThereStayTheOldOnes() {
        var pod = ours("a", "n1");
        noon.on(seen(node("n1", "gpu=h100")));
        noon.on(seen(pod));
        noon.ready(ONE);
        var h100 = new Pool("h100", 1, Map.of("gpu", "h100"), false, false);
        assertThat(noon.on(new PoolsChanged(ONE.with(h100))))
                .containsExactly(
                        to(DEFAULT, new NodeReleased("n1", true)),
                        new Confirm("default"),
                        to(h100, new SnapshotBegin("0-7-2")),
                        to(h100, new SnapshotEnd("0-7-2")),
                        new Confirm("default"));
        assertThat(noon.on(new Confirmed("default")))
                .containsExactly(
                        to(h100, new OthersUsed("n1", ONE_CPU)),
                        to(h100, nodeSeen(node("n1", "gpu=h100"))));
        var runs = inPhase(pod, "Running");
        assertThat(noon.on(seen(runs))).containsExactly(to(DEFAULT, podSeen(runs)));
    }

    @Test
    void aMoveThatTheOldPoolDidNotHearOfIsToldAgainFirst() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.ready(TWO);
        assertThat(noon.on(seen(node("n1"))))
                .containsExactly(to(GPU, new NodeReleased("n1", true)), new Confirm("gpu"));
        assertThat(noon.on(new SendFailed("gpu"))).isEmpty();
        assertThat(noon.on(new Confirmed("gpu"))).isEmpty();
        assertThat(noon.at(noon.shard.nextDue(), new Tick()))
                .containsExactly(
                        to(GPU, new NodeReleased("n1", true)),
                        to(GPU, new SnapshotBegin("0-7-3")),
                        to(GPU, new SnapshotEnd("0-7-3")),
                        new Confirm("gpu"));
        assertThat(noon.at(NOON.plusSeconds(1), new Confirmed("gpu")))
                .containsExactly(
                        to(REST, new OthersUsed("n1", Map.of())), to(REST, nodeSeen(node("n1"))));
    }

    @Test
    void aPoolIsNotWaitedForByNodesThatLeaveAnother() {
        var tpu = new Pool("tpu", 1, Map.of("tpu", "yes"), false, false);
        var rest = new Pool("rest", 2, Map.of(), false, false);
        noon.on(seen(node("n1", "gpu=yes")));
        noon.on(seen(node("n2", "tpu=yes")));
        noon.ready(new Pools(List.of(GPU, tpu, rest)));
        noon.on(seen(node("n1")));
        assertThat(noon.on(seen(node("n2")))).endsWith(new Confirm("tpu"));
        assertThat(noon.on(new Confirmed("tpu")))
                .containsExactly(
                        to(rest, new OthersUsed("n2", Map.of())), to(rest, nodeSeen(node("n2"))));
        assertThat(noon.on(new Confirmed("rest"))).isEmpty();
        assertThat(noon.on(new Confirmed("gpu"))).hasSize(2);
    }

    @Test
    void aPoolThatIsGoneAndCannotBeToldIsNotWaitedFor() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.ready(TWO);
        noon.on(new PoolsChanged(TWO.without("gpu")));
        assertThat(noon.on(new SendFailed("gpu"))).hasSize(2);
    }

    @Test
    void aPoolThatIsInAnotherInboxNowIsAwaitedInItsOld() {
        noon.on(seen(node("n1")));
        noon.ready(TWO);
        var moved = new Pool("rest", 5, Map.of(), false, false);
        assertThat(noon.on(new PoolsChanged(TWO.with(moved))))
                .startsWith(to(REST, new NodeReleased("n1", true)), new Confirm("rest"))
                .endsWith(to(moved, new SnapshotEnd("0-7-3")), new Confirm("rest"));
        assertThat(noon.on(new Confirmed("rest"))).contains(to(moved, nodeSeen(node("n1"))));
    }

    private void standsByWhileANodeMoves() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.on(new PoolsChanged(TWO));
        noon.on(new Listed(Kind.NODES));
        noon.on(new Listed(Kind.PODS));
        noon.on(new Listed(Kind.QUOTAS));
        noon.on(seen(node("n1")));
    }

    /** Else its pool would take it for gone at the snapshot's end. */
    @Test
    void whoTakesOverLongAfterAMoveTellsTheNewPoolAtOnce() {
        standsByWhileANodeMoves();
        assertThat(noon.wins(NOON.plusSeconds(3600), 9))
                .containsExactly(
                        to(GPU, new SnapshotBegin("0-9-1")),
                        to(GPU, new SnapshotEnd("0-9-1")),
                        to(REST, new SnapshotBegin("0-9-2")),
                        to(REST, new OthersUsed("n1", Map.of())),
                        to(REST, nodeSeen(node("n1"))),
                        to(REST, new SnapshotEnd("0-9-2")));
    }

    /** Another told of it meanwhile, and the new pool has used the node for long. */
    @Test
    void norDoesWhoLostTheLeaseBeforeTheOldPoolHadHeardLeaveItOut() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.ready(TWO);
        noon.on(seen(node("n1")));
        noon.on(new LeaseLost());
        assertThat(noon.wins(NOON.plusSeconds(3600), 9))
                .containsExactly(
                        to(GPU, new SnapshotBegin("0-9-3")),
                        to(GPU, new SnapshotEnd("0-9-3")),
                        to(REST, new SnapshotBegin("0-9-4")),
                        to(REST, new OthersUsed("n1", Map.of())),
                        to(REST, nodeSeen(node("n1"))),
                        to(REST, new SnapshotEnd("0-9-4")));
    }

    @Test
    void whoTakesOverTellsOfMovesThatItSawWhileStandingBy() {
        standsByWhileANodeMoves();
        assertThat(noon.wins(NOON, 9))
                .containsExactly(
                        to(GPU, new NodeReleased("n1", true)),
                        to(GPU, new SnapshotBegin("0-9-1")),
                        to(GPU, new SnapshotEnd("0-9-1")),
                        to(REST, new SnapshotBegin("0-9-2")),
                        to(REST, new SnapshotEnd("0-9-2")),
                        new Confirm("gpu"));
        assertThat(noon.on(new Confirmed("gpu"))).hasSize(2);
    }

    @Test
    void aPoolThatIsGoneIsToldOfItsNodesLast() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.ready(TWO);
        assertThat(noon.on(new PoolsChanged(TWO.without("gpu"))))
                .containsExactly(to(GPU, new NodeReleased("n1", true)), new Confirm("gpu"));
        assertThat(noon.on(new Confirmed("gpu")))
                .containsExactly(
                        to(REST, new OthersUsed("n1", Map.of())),
                        to(REST, nodeSeen(node("n1", "gpu=yes"))));
    }

    @Test
    void poolsThatMeetInANodeAreWarnedOf() {
        noon.ready(new Pools(List.of(GPU, new Pool("zone", 1, Map.of("zone", "a"), false, false))));
        assertThat(noon.on(seen(node("n1", "gpu=yes", "zone=a"))))
                .contains(new WarnOfOverlap("gpu", "zone", "n1"));
    }
}
