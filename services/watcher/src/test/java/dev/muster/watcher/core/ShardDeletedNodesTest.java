package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.node;
import static dev.muster.watcher.core.ShardAtNoon.GPU;
import static dev.muster.watcher.core.ShardAtNoon.NOON;
import static dev.muster.watcher.core.ShardAtNoon.REST;
import static dev.muster.watcher.core.ShardAtNoon.TWO;
import static dev.muster.watcher.core.ShardAtNoon.nodeSeen;
import static dev.muster.watcher.core.ShardAtNoon.seen;
import static dev.muster.watcher.core.ShardAtNoon.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.watcher.core.Effect.Confirm;
import dev.muster.watcher.core.Report.NodeReleased;
import dev.muster.watcher.core.Report.OthersUsed;
import dev.muster.watcher.core.Report.SnapshotBegin;
import dev.muster.watcher.core.Report.SnapshotEnd;
import dev.muster.watcher.core.ShardEvent.Confirmed;
import dev.muster.watcher.core.ShardEvent.Kind;
import dev.muster.watcher.core.ShardEvent.LeaseLost;
import dev.muster.watcher.core.ShardEvent.ListBegins;
import dev.muster.watcher.core.ShardEvent.Listed;
import dev.muster.watcher.core.ShardEvent.NodeDeleted;
import dev.muster.watcher.core.ShardEvent.SendFailed;
import dev.muster.watcher.core.ShardEvent.Tick;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that are deleted, and come back. */
class ShardDeletedNodesTest {
    private final ShardAtNoon noon = new ShardAtNoon(0);

    @Test
    void aNodeThatIsDeletedAndComesBackElsewhereIsToldThereOnceTheOldPoolHasHeard() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.on(seen(node("n2", "gpu=yes")));
        noon.ready(TWO);
        assertThat(noon.on(new NodeDeleted("n1")))
                .containsExactly(to(GPU, new NodeReleased("n1", false)), new Confirm("gpu"));
        assertThat(noon.on(seen(node("n1")))).isEmpty();
        assertThat(noon.on(new Confirmed("gpu")))
                .containsExactly(
                        to(REST, new OthersUsed("n1", Map.of())), to(REST, nodeSeen(node("n1"))));
        noon.on(new NodeDeleted("n2"));
        assertThat(noon.on(new Confirmed("gpu"))).isEmpty();
        assertThat(noon.on(seen(node("n2"))))
                .containsExactly(
                        to(REST, new OthersUsed("n2", Map.of())), to(REST, nodeSeen(node("n2"))));
    }

    @Test
    void aNodeThatComesBackToItsPoolWaitsForNothing() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.ready(TWO);
        noon.on(new NodeDeleted("n1"));
        assertThat(noon.on(seen(node("n1", "gpu=yes"))))
                .containsExactly(
                        to(GPU, new OthersUsed("n1", Map.of())),
                        to(GPU, nodeSeen(node("n1", "gpu=yes"))));
        assertThat(noon.on(new Confirmed("gpu"))).isEmpty();
    }

    @Test
    void aDeletionThatTheOldPoolDidNotHearOfIsToldAgainBeforeTheNodeIsElsewhere() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.ready(TWO);
        noon.on(new SendFailed("gpu"));
        assertThat(noon.on(new NodeDeleted("n1"))).containsExactly(new Confirm("gpu"));
        assertThat(noon.on(new Confirmed("gpu"))).isEmpty();
        assertThat(noon.on(seen(node("n1")))).isEmpty();
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
    void soIsOneOfANodeThatWasMovingAndNothingIsKeptOfOneThatStaysAway() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.on(seen(node("n2", "gpu=yes")));
        noon.ready(TWO);
        noon.on(new SendFailed("gpu"));
        noon.on(seen(node("n1")));
        noon.on(new NodeDeleted("n1"));
        noon.on(new NodeDeleted("n2"));
        noon.on(new Confirmed("rest"));
        assertThat(noon.on(seen(node("n1")))).isEmpty();
        assertThat(noon.at(noon.shard.nextDue(), new Tick()))
                .startsWith(
                        to(GPU, new NodeReleased("n1", true)),
                        to(GPU, new NodeReleased("n2", false)),
                        to(GPU, new SnapshotBegin("0-7-3")));
        assertThat(noon.at(NOON.plusSeconds(1), new Confirmed("gpu")))
                .containsExactly(
                        to(REST, new OthersUsed("n1", Map.of())), to(REST, nodeSeen(node("n1"))));
        noon.at(NOON.plusSeconds(2), new SendFailed("gpu"));
        assertThat(noon.at(noon.shard.nextDue(), new Tick()))
                .doesNotContain(to(GPU, new NodeReleased("n2", false)));
    }

    /** A watch that was behind shows it so. */
    @Test
    void nodesThatAListLacksAreReleasedTogether() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.on(seen(node("n2", "gpu=yes")));
        noon.ready(TWO);
        noon.on(new ListBegins(Kind.NODES));
        assertThat(noon.on(new Listed(Kind.NODES)))
                .startsWith(
                        to(GPU, new NodeReleased("n1", false)),
                        to(GPU, new NodeReleased("n2", false)),
                        new Confirm("gpu"),
                        to(GPU, new NodeReleased("n1", false)))
                .endsWith(new Confirm("gpu"));
    }

    @Test
    void aDeletionSeenWhileStandingByIsToldByWhoTakesOverSoonAfter() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.ready(TWO);
        noon.on(new LeaseLost());
        noon.on(new NodeDeleted("n1"));
        noon.on(seen(node("n1")));
        assertThat(noon.wins(NOON.plusSeconds(60), 9))
                .startsWith(to(GPU, new NodeReleased("n1", true)))
                .doesNotContain(to(REST, nodeSeen(node("n1"))));
        assertThat(noon.at(NOON.plusSeconds(61), new Confirmed("gpu")))
                .contains(to(REST, nodeSeen(node("n1"))));
    }

    @Test
    void whoTakesOverLongAfterItTellsTheNewPoolAtOnce() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.ready(TWO);
        noon.on(new LeaseLost());
        noon.on(new NodeDeleted("n1"));
        noon.on(seen(node("n1")));
        assertThat(noon.wins(NOON.plusSeconds(61), 9))
                .doesNotContain(to(GPU, new NodeReleased("n1", true)))
                .contains(to(REST, nodeSeen(node("n1"))));
    }
}
