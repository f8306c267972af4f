package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.NAME;
import static dev.muster.watcher.core.Cluster.OURS;
import static dev.muster.watcher.core.Cluster.but;
import static dev.muster.watcher.core.Cluster.foreign;
import static dev.muster.watcher.core.Cluster.inPhase;
import static dev.muster.watcher.core.Cluster.node;
import static dev.muster.watcher.core.Cluster.ours;
import static dev.muster.watcher.core.Cluster.pod;
import static dev.muster.watcher.core.ShardAtNoon.DEFAULT;
import static dev.muster.watcher.core.ShardAtNoon.GPU;
import static dev.muster.watcher.core.ShardAtNoon.NOON;
import static dev.muster.watcher.core.ShardAtNoon.ONE;
import static dev.muster.watcher.core.ShardAtNoon.ONE_CPU;
import static dev.muster.watcher.core.ShardAtNoon.POD;
import static dev.muster.watcher.core.ShardAtNoon.REST;
import static dev.muster.watcher.core.ShardAtNoon.TWO;
import static dev.muster.watcher.core.ShardAtNoon.gone;
import static dev.muster.watcher.core.ShardAtNoon.newVersion;
import static dev.muster.watcher.core.ShardAtNoon.nodeSeen;
import static dev.muster.watcher.core.ShardAtNoon.podSeen;
import static dev.muster.watcher.core.ShardAtNoon.seen;
import static dev.muster.watcher.core.ShardAtNoon.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.contract.LabelNames;
import dev.muster.watcher.core.Effect.Confirm;
import dev.muster.watcher.core.Report.Alive;
import dev.muster.watcher.core.Report.NodeReleased;
import dev.muster.watcher.core.Report.OthersUsed;
import dev.muster.watcher.core.Report.SnapshotBegin;
import dev.muster.watcher.core.Report.SnapshotEnd;
import dev.muster.watcher.core.ShardEvent.Kind;
import dev.muster.watcher.core.ShardEvent.LeaseGained;
import dev.muster.watcher.core.ShardEvent.LeaseLost;
import dev.muster.watcher.core.ShardEvent.ListBegins;
import dev.muster.watcher.core.ShardEvent.Listed;
import dev.muster.watcher.core.ShardEvent.Outdated;
import dev.muster.watcher.core.ShardEvent.PodDeleted;
import dev.muster.watcher.core.ShardEvent.PoolsChanged;
import dev.muster.watcher.core.ShardEvent.SendFailed;
import dev.muster.watcher.core.ShardEvent.Tick;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardTest {
    private final ShardAtNoon noon = new ShardAtNoon(0);

    @Test
    void nothingIsToldBeforeTheLeaseTheListsAndThePools() {
        assertThat(noon.on(new LeaseGained(7))).isEmpty();
        begin();
        assertThat(noon.on(seen(node("n1")))).isEmpty();
        assertThat(noon.on(new Listed(Kind.NODES))).isEmpty();
        assertThat(noon.on(seen(POD))).isEmpty();
        assertThat(noon.on(new Listed(Kind.PODS))).isEmpty();
        assertThat(noon.on(new Listed(Kind.QUOTAS))).isEmpty();
        assertThat(noon.shard.nextDue()).isEqualTo(Instant.MAX);
        assertThat(noon.on(new PoolsChanged(ONE)))
                .containsExactly(
                        to(DEFAULT, new SnapshotBegin("0-7-1")),
                        to(DEFAULT, new OthersUsed("n1", Map.of())),
                        to(DEFAULT, nodeSeen(node("n1"))),
                        to(DEFAULT, podSeen(POD)),
                        to(DEFAULT, new SnapshotEnd("0-7-1")));
        assertThat(noon.shard.isSynced()).isTrue();
    }

    @Test
    void whoStandsByKnowsAndTellsNothing() {
        noon.on(new PoolsChanged(ONE));
        noon.on(new Listed(Kind.NODES));
        noon.on(new Listed(Kind.PODS));
        noon.on(new Listed(Kind.QUOTAS));
        assertThat(noon.on(seen(POD))).isEmpty();
        assertThat(noon.on(new PodDeleted(Pods.nameOf(POD)))).isEmpty();
        assertThat(noon.shard.isSynced()).isTrue();
        assertThat(noon.wins(NOON, 8))
                .containsExactly(
                        to(DEFAULT, new SnapshotBegin("0-8-1")),
                        to(DEFAULT, new SnapshotEnd("0-8-1")));
    }

    @Test
    void whatIsToldAfterAWinWasListedAfterIt() {
        noon.on(new PoolsChanged(ONE));
        noon.on(seen(POD));
        noon.on(seen(ours("went", "n1")));
        noon.on(seen(node("went")));
        begin();
        noon.on(new Listed(Kind.NODES));
        noon.on(new Listed(Kind.PODS));
        noon.on(new Outdated());
        noon.on(new LeaseGained(8));
        // That list began before the win.
        assertThat(noon.on(new Listed(Kind.QUOTAS))).isEmpty();
        assertThat(noon.shard.isSynced()).isTrue();
        assertThat(noon.shard.nextDue()).isEqualTo(Instant.MAX);
        begin();
        var running = inPhase(POD, "Running");
        noon.on(seen(running));
        noon.on(seen(ours("came", "n1")));
        noon.on(seen(node("n1")));
        assertThat(noon.on(new Listed(Kind.PODS))).isEmpty();
        assertThat(noon.on(new Listed(Kind.QUOTAS))).isEmpty();
        assertThat(noon.on(new Listed(Kind.NODES)))
                .containsExactly(
                        to(DEFAULT, new NodeReleased("went", false)),
                        to(DEFAULT, new SnapshotBegin("0-8-1")),
                        to(DEFAULT, new OthersUsed("n1", Map.of())),
                        to(DEFAULT, nodeSeen(node("n1"))),
                        to(DEFAULT, podSeen(running)),
                        to(DEFAULT, podSeen(ours("came", "n1"))),
                        to(DEFAULT, new SnapshotEnd("0-8-1")),
                        new Confirm("default"));
    }

    /** Who had the shard before may not have told it. */
    @Test
    void aSnapshotBeginsWithThePodThatChangedLast() {
        noon.on(new PoolsChanged(ONE));
        noon.on(new Listed(Kind.NODES));
        noon.on(new Listed(Kind.QUOTAS));
        noon.on(seen(POD));
        var last = newVersion(ours("last", "n1"));
        noon.on(seen(last));
        noon.on(seen(ours("other", "n1")));
        noon.on(new Listed(Kind.PODS));
        assertThat(noon.wins(NOON, 8))
                .containsSubsequence(to(DEFAULT, podSeen(last)), to(DEFAULT, podSeen(POD)))
                .containsSubsequence(
                        to(DEFAULT, podSeen(last)), to(DEFAULT, podSeen(ours("other", "n1"))));
    }

    /** The holder before told nothing from then on. */
    @Test
    void whatIsToldAfterAForeseenWinWasListedAfterThat() {
        noon.on(new PoolsChanged(ONE));
        begin();
        noon.on(seen(ours("went", "n1")));
        noon.on(new Listed(Kind.NODES));
        noon.on(new Listed(Kind.PODS));
        noon.on(new Outdated());
        // That list began before it was foreseen.
        noon.on(new Listed(Kind.QUOTAS));
        begin();
        noon.on(seen(POD));
        noon.on(new Listed(Kind.PODS));
        noon.on(new Listed(Kind.NODES));
        assertThat(noon.on(new LeaseGained(8))).isEmpty();
        assertThat(noon.on(new Listed(Kind.QUOTAS)))
                .containsExactly(
                        to(DEFAULT, new SnapshotBegin("0-8-1")),
                        to(DEFAULT, podSeen(POD)),
                        to(DEFAULT, new SnapshotEnd("0-8-1")));
    }

    @Test
    void whatIsListedBeforeAForeseenWinIsToldAtOnce() {
        noon.on(new PoolsChanged(ONE));
        noon.on(new Outdated());
        begin();
        noon.on(seen(POD));
        noon.on(new Listed(Kind.QUOTAS));
        noon.on(new Listed(Kind.PODS));
        noon.on(new Listed(Kind.NODES));
        assertThat(noon.on(new LeaseGained(8)))
                .containsExactly(
                        to(DEFAULT, new SnapshotBegin("0-8-1")),
                        to(DEFAULT, podSeen(POD)),
                        to(DEFAULT, new SnapshotEnd("0-8-1")));
    }

    @Test
    void whoTellsGoesOnWhileAllIsListedForAnotherShard() {
        noon.on(seen(node("n1")));
        noon.ready(ONE);
        noon.on(seen(POD));
        noon.on(seen(ours("went", "n1")));
        begin();
        var running = inPhase(POD, "Running");
        assertThat(noon.on(seen(running))).containsExactly(to(DEFAULT, podSeen(running)));
        assertThat(noon.on(seen(node("n1")))).isEmpty();
        assertThat(noon.on(new Listed(Kind.PODS)))
                .startsWith(
                        to(DEFAULT, gone(ours("went", "n1"))),
                        to(DEFAULT, new SnapshotBegin("0-7-2")))
                .contains(to(DEFAULT, podSeen(running)));
        // Who was missing once is not missed again.
        assertThat(noon.on(new Listed(Kind.PODS))).doesNotContain(to(DEFAULT, gone(POD)));
    }

    private void begin() {
        for (var kind : Kind.values()) {
            noon.on(new ListBegins(kind));
        }
    }

    @Test
    void everyPoolGetsASnapshotOfItsOwn() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.on(seen(node("n2")));
        noon.on(seen(foreign("f", "n2", "1")));
        noon.on(seen(pod(NAME, "n1", "1", but(OURS, LabelNames.POOL, "gpu"))));
        noon.on(seen(pod(NAME + 1, null, "1", but(OURS, LabelNames.POOL, "unheard-of"))));
        assertThat(noon.ready(TWO))
                .containsExactly(
                        to(GPU, new SnapshotBegin("0-7-1")),
                        to(GPU, new OthersUsed("n1", Map.of())),
                        to(GPU, nodeSeen(node("n1", "gpu=yes"))),
                        to(GPU, podSeen(pod(NAME, "n1", "1", but(OURS, LabelNames.POOL, "gpu")))),
                        to(GPU, new SnapshotEnd("0-7-1")),
                        to(REST, new SnapshotBegin("0-7-2")),
                        to(REST, new OthersUsed("n2", ONE_CPU)),
                        to(REST, nodeSeen(node("n2"))),
                        to(REST, new SnapshotEnd("0-7-2")));
    }

    @Test
    void aPodIsToldWhenSomethingOfItChanged() {
        noon.ready(ONE);
        assertThat(noon.on(seen(POD))).containsExactly(to(DEFAULT, podSeen(POD)));
        assertThat(noon.on(seen(newVersion(POD)))).isEmpty();
        var running = inPhase(POD, "Running");
        assertThat(noon.on(seen(running))).containsExactly(to(DEFAULT, podSeen(running)));
    }

    @Test
    void aPodThatIsNoLongerThereIsGone() {
        noon.ready(ONE);
        noon.on(seen(POD));
        assertThat(noon.on(new PodDeleted(Pods.nameOf(POD))))
                .containsExactly(to(DEFAULT, gone(POD)));
        assertThat(noon.on(new PodDeleted(Pods.nameOf(POD)))).isEmpty();
    }

    @Test
    void aPodMadeAnewUnderTheSameNameIsTwoPods() {
        noon.ready(ONE);
        noon.on(seen(POD));
        var again = new PodBuilder(POD).editMetadata().withUid("another").endMetadata().build();
        assertThat(noon.on(seen(again)))
                .containsExactly(to(DEFAULT, gone(POD)), to(DEFAULT, podSeen(again)));
    }

    @Test
    void aPodWithoutOurLabelsAnyMoreIsGoneAndItsUseIsOthers() {
        noon.ready(ONE);
        noon.on(seen(node("n1")));
        noon.on(seen(POD));
        assertThat(noon.on(seen(foreign(Pods.nameOf(POD).name(), "n1", "1"))))
                .containsExactly(
                        to(DEFAULT, gone(POD)), to(DEFAULT, new OthersUsed("n1", ONE_CPU)));
    }

    @Test
    void aPoolThatAppearsGetsASnapshotAndTheOthersNone() {
        noon.on(seen(node("n1", "gpu=yes")));
        noon.ready(new Pools(List.of(GPU)));
        noon.on(seen(node("n2")));
        assertThat(noon.on(new PoolsChanged(TWO)))
                .containsExactly(
                        to(REST, new SnapshotBegin("0-7-2")),
                        to(REST, new OthersUsed("n2", Map.of())),
                        to(REST, nodeSeen(node("n2"))),
                        to(REST, new SnapshotEnd("0-7-2")));
        assertThat(noon.on(new PoolsChanged(TWO))).isEmpty();
    }

    @Test
    void everyListIsFollowedByASnapshot() {
        noon.on(seen(node("n1")));
        noon.ready(ONE);
        var snapshot =
                List.of(
                        to(DEFAULT, new SnapshotBegin("0-7-2")),
                        to(DEFAULT, new OthersUsed("n1", Map.of())),
                        to(DEFAULT, nodeSeen(node("n1"))),
                        to(DEFAULT, new SnapshotEnd("0-7-2")));
        assertThat(noon.on(new Listed(Kind.NODES))).isEqualTo(snapshot);
        assertThat(noon.on(new Listed(Kind.PODS))).hasSameSizeAs(snapshot);
    }

    @Test
    void afterAFailedSendOnlyASnapshotIsTold() {
        noon.ready(ONE);
        assertThat(noon.on(new SendFailed("default"))).isEmpty();
        assertThat(noon.on(seen(POD))).isEmpty();
        assertThat(noon.shard.nextDue()).isEqualTo(NOON.plusMillis(200));
        assertThat(noon.at(NOON.plusMillis(200), new Tick()))
                .containsExactly(
                        to(DEFAULT, new SnapshotBegin("0-7-2")),
                        to(DEFAULT, podSeen(POD)),
                        to(DEFAULT, new SnapshotEnd("0-7-2")));
    }

    @Test
    void failuresThatRepeatAreRetriedLessOften() {
        noon.ready(ONE);
        noon.on(new SendFailed("default"));
        noon.on(new SendFailed("default"));
        assertThat(noon.shard.nextDue()).isEqualTo(NOON.plusMillis(200));
        var now = NOON.plusMillis(200);
        noon.at(now, new Tick());
        noon.at(now, new SendFailed("default"));
        assertThat(noon.shard.nextDue()).isEqualTo(now.plusMillis(400));
        for (var i = 0; i < 20; i++) {
            now = noon.shard.nextDue();
            noon.at(now, new Tick());
            noon.at(now, new SendFailed("default"));
        }
        var later = now.plusSeconds(30);
        noon.at(later, new Tick());
        noon.at(later.plusSeconds(61), new SendFailed("default"));
        noon.at(later.plusSeconds(61), new Listed(Kind.PODS));
        assertThat(noon.shard.nextDue()).isEqualTo(later.plusSeconds(61).plusMillis(200));
    }

    @Test
    void aFailureOfOnePoolIsNoneOfTheOthers() {
        noon.ready(TWO);
        noon.on(new SendFailed("gpu"));
        assertThat(noon.on(new SendFailed("unheard-of"))).isEmpty();
        assertThat(noon.on(seen(node("n2"))))
                .containsExactly(
                        to(REST, new OthersUsed("n2", Map.of())), to(REST, nodeSeen(node("n2"))));
    }

    @Test
    void everyPoolHearsThatItsShardIsWatched() {
        noon.ready(ONE);
        assertThat(noon.shard.nextDue()).isEqualTo(NOON.plusSeconds(5));
        assertThat(noon.at(NOON.plusSeconds(5), new Tick()))
                .containsExactly(to(DEFAULT, new Alive()));
        assertThat(noon.at(NOON.plusSeconds(6), new Tick())).isEmpty();
        assertThat(noon.shard.nextDue()).isEqualTo(NOON.plusSeconds(10));
    }

    @Test
    void whoLostTheLeaseIsSilentAndBeginsAnewWithTheNext() {
        noon.ready(ONE);
        noon.on(seen(POD));
        assertThat(noon.on(new LeaseLost())).isEmpty();
        assertThat(noon.shard.nextDue()).isEqualTo(Instant.MAX);
        assertThat(noon.on(seen(inPhase(POD, "Running")))).isEmpty();
        assertThat(noon.at(NOON.plusSeconds(60), new Tick())).isEmpty();
        assertThat(noon.wins(NOON.plusSeconds(61), 12))
                .containsExactly(
                        to(DEFAULT, new SnapshotBegin("0-12-2")),
                        to(DEFAULT, podSeen(inPhase(POD, "Running"))),
                        to(DEFAULT, new SnapshotEnd("0-12-2")));
    }
}
