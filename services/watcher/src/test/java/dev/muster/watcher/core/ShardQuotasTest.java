package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.NAME;
import static dev.muster.watcher.core.Cluster.OURS;
import static dev.muster.watcher.core.Cluster.but;
import static dev.muster.watcher.core.Cluster.foreign;
import static dev.muster.watcher.core.Cluster.inPhase;
import static dev.muster.watcher.core.Cluster.ours;
import static dev.muster.watcher.core.Cluster.pod;
import static dev.muster.watcher.core.ShardAtNoon.DEFAULT;
import static dev.muster.watcher.core.ShardAtNoon.GPU;
import static dev.muster.watcher.core.ShardAtNoon.NOON;
import static dev.muster.watcher.core.ShardAtNoon.ONE;
import static dev.muster.watcher.core.ShardAtNoon.POD;
import static dev.muster.watcher.core.ShardAtNoon.REST;
import static dev.muster.watcher.core.ShardAtNoon.TWO;
import static dev.muster.watcher.core.ShardAtNoon.podSeen;
import static dev.muster.watcher.core.ShardAtNoon.seen;
import static dev.muster.watcher.core.ShardAtNoon.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.contract.LabelNames;
import dev.muster.watcher.core.Effect.Publish;
import dev.muster.watcher.core.Quota.Scope;
import dev.muster.watcher.core.Report.Alive;
import dev.muster.watcher.core.Report.QuotaGone;
import dev.muster.watcher.core.Report.QuotaSeen;
import dev.muster.watcher.core.Report.SnapshotBegin;
import dev.muster.watcher.core.Report.SnapshotEnd;
import dev.muster.watcher.core.ShardEvent.Kind;
import dev.muster.watcher.core.ShardEvent.Listed;
import dev.muster.watcher.core.ShardEvent.PodDeleted;
import dev.muster.watcher.core.ShardEvent.PoolsChanged;
import dev.muster.watcher.core.ShardEvent.QuotaChanged;
import dev.muster.watcher.core.ShardEvent.QuotaDeleted;
import dev.muster.watcher.core.ShardEvent.SendFailed;
import dev.muster.watcher.core.ShardEvent.Tick;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What pools hear of the quotas of namespaces. */
class ShardQuotasTest {
    private final ShardAtNoon noon = new ShardAtNoon(1);

    @Test
    void aQuotaIsToldWithWhatOthersUseOfIt() {
        noon.ready(ONE);
        noon.on(seen(foreign("bound", "n1", "1")));
        noon.on(seen(foreign("waits", null, "2")));
        noon.on(seen(inPhase(foreign("ended", "n1", "4"), "Succeeded")));
        noon.on(seen(ours("a", "n1")));

        assertThat(noon.on(quota("q", Map.of("cpu", 9000L))))
                .containsExactly(to(DEFAULT, quotaSeen(9000, 3000)));
        assertThat(noon.on(quota("q", Map.of("cpu", 9000L)))).isEmpty();
    }

    /** The API server counts objects, and one that has ended is there until it is deleted. */
    @Test
    void podOfOthersThatHasEndedIsCountedAsAnObject() {
        noon.ready(ONE);
        noon.on(seen(foreign("bound", "n1", "1")));
        noon.on(seen(inPhase(foreign("ended", "n1", "4"), "Succeeded")));

        assertThat(noon.on(quota("q", Map.of("count/pods", 9L, "pods", 9L))))
                .containsExactly(
                        to(
                                DEFAULT,
                                new QuotaSeen(
                                        "ml",
                                        Map.of("count/pods", 9L, "pods", 9L),
                                        Map.of("count/pods", 2L, "pods", 1L))));
    }

    @Test
    void ofSeveralQuotasTheLeastOfEachResourceHolds() {
        noon.ready(ONE);
        noon.on(quota("q", Map.of("cpu", 9000L, "pods", 5L)));

        assertThat(noon.on(quota("r", Map.of("cpu", 8000L, "pods", 6L))))
                .containsExactly(
                        to(
                                DEFAULT,
                                new QuotaSeen("ml", Map.of("cpu", 8000L, "pods", 5L), Map.of())));
    }

    @Test
    void quotaOfLimitsIsToldWithTheLimitsOfOthers() {
        noon.ready(ONE);
        noon.on(seen(limited(foreign("bound", "n1", "1"), "3")));
        noon.on(seen(foreign("without", "n1", "1")));

        assertThat(noon.on(quota("q", Map.of("cpu", 9000L, "limits.cpu", 9000L))))
                .containsExactly(
                        to(
                                DEFAULT,
                                new QuotaSeen(
                                        "ml",
                                        Map.of("cpu", 9000L, "limits.cpu", 9000L),
                                        Map.of("cpu", 2000L, "limits.cpu", 3000L))));
    }

    /** Its node died: nobody confirms its end. Kubernetes gives it its grace twice. */
    @Test
    void podThatWasToldToGoAndDoesNotIsChargedNoMoreOnceKubernetesHasCountedAnew() {
        noon.ready(ONE);
        noon.on(quota("q", Map.of("count/pods", 9L, "cpu", 9000L)));
        noon.on(seen(toldToGo(foreign("lost", "n1", "4"))));
        var uncharged = NOON.plusSeconds(30 + 30).plus(Pods.QUOTAS_COUNTED_ANEW);
        assertThat(noon.at(uncharged.minusMillis(1), new Tick())).containsOnly(alive());
        assertThat(noon.shard.nextDue()).isEqualTo(uncharged);

        var rest = Map.of("count/pods", 1L);
        var hard = Map.of("count/pods", 9L, "cpu", 9000L);
        assertThat(noon.at(uncharged, new Tick()))
                .containsExactly(to(DEFAULT, new QuotaSeen("ml", hard, rest)));
        // Whatever else is heard of it makes no difference.
        assertThat(
                        noon.at(
                                uncharged,
                                seen(inPhase(toldToGo(foreign("lost", "n1", "4")), "Running"))))
                .isEmpty();
        assertThat(noon.at(uncharged.plusSeconds(1), gone(foreign("lost", "n1", "4"))))
                .containsExactly(to(DEFAULT, new QuotaSeen("ml", hard, Map.of())));
        noon.at(uncharged.plusSeconds(1), seen(foreign("lost", "n1", "4")));
        assertThat(noon.at(uncharged.plusSeconds(3), gone(foreign("lost", "n1", "4"))))
                .containsExactly(to(DEFAULT, new QuotaSeen("ml", hard, Map.of())));
    }

    @Test
    void podThatGoesInTimeIsChargedUntilThen() {
        noon.ready(ONE);
        noon.on(quota("q", Map.of("cpu", 9000L)));
        noon.on(seen(toldToGo(foreign("a", "n1", "4"))));
        noon.at(NOON.plusSeconds(20), gone(foreign("a", "n1", "4")));
        noon.at(NOON.plusSeconds(21), seen(foreign("a", "n1", "4")));

        assertThat(noon.at(NOON.plusSeconds(900), new Tick())).containsOnly(alive());
        assertThat(noon.at(NOON.plusSeconds(900), quota("q", Map.of("cpu", 8000L))))
                .containsExactly(to(DEFAULT, quotaSeen(8000, 4000)));
    }

    /** Another watcher had the shard meanwhile. */
    @Test
    void snapshotKnowsWhatIsChargedNoMore() {
        noon.on(new PoolsChanged(ONE));
        noon.on(quota("q", Map.of("cpu", 9000L)));
        noon.on(seen(toldToGo(foreign("lost", "n1", "4"))));

        assertThat(noon.wins(NOON.plusSeconds(900), 7)).contains(to(DEFAULT, quotaSeen(9000)));
    }

    private static Effect alive() {
        return to(DEFAULT, new Alive());
    }

    private static Pod toldToGo(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .withDeletionTimestamp(NOON.plusSeconds(30).toString())
                .withDeletionGracePeriodSeconds(30L)
                .endMetadata()
                .build();
    }

    private static Pod limited(Pod pod, String cpu) {
        return new PodBuilder(pod)
                .editSpec()
                .editFirstContainer()
                .editResources()
                .addToLimits("cpu", new Quantity(cpu))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    @Test
    void anotherPoolsPodsAreOthers() {
        noon.ready(TWO);
        noon.on(seen(pod(NAME, "n1", "1", but(OURS, LabelNames.POOL, "gpu"))));

        assertThat(noon.on(quota("q", Map.of("cpu", 9000L))))
                .containsExactly(to(GPU, quotaSeen(9000)), to(REST, quotaSeen(9000, 1000)));
    }

    @Test
    void lessRoomIsToldAtOnceAndMoreOnceASecond() {
        noon.ready(ONE);
        noon.on(quota("q", Map.of("cpu", 9000L)));

        assertThat(noon.on(seen(foreign("a", "n1", "1"))))
                .containsExactly(to(DEFAULT, quotaSeen(9000, 1000)));
        assertThat(noon.on(gone(foreign("a", "n1", "1")))).isEmpty();
        assertThat(noon.shard.nextDue()).isEqualTo(NOON.plusSeconds(1));
        assertThat(noon.at(NOON.plusMillis(999), new Tick())).isEmpty();
        assertThat(noon.at(NOON.plusSeconds(1), new Tick()))
                .containsExactly(to(DEFAULT, quotaSeen(9000)));
        assertThat(noon.at(NOON.plusSeconds(1), quota("q", Map.of("cpu", 8999L))))
                .containsExactly(to(DEFAULT, quotaSeen(8999)));
        assertThat(noon.at(NOON.plusSeconds(1), quota("q", Map.of("cpu", 8999L, "pods", 9L))))
                .containsExactly(
                        to(
                                DEFAULT,
                                new QuotaSeen("ml", Map.of("cpu", 8999L, "pods", 9L), Map.of())));
    }

    @Test
    void whatNoQuotaNamesIsNotToldOf() {
        noon.ready(ONE);
        noon.on(quota("q", Map.of("memory", 1L)));

        assertThat(noon.on(seen(foreign("a", "n1", "1")))).isEmpty();
        assertThat(noon.on(quota("other", Map.of()))).isEmpty();
    }

    @Test
    void theLastQuotaOfANamespaceIsToldToBeGoneOnce() {
        noon.ready(ONE);
        noon.on(quota("q", Map.of("cpu", 9000L)));
        noon.on(quota("r", Map.of("cpu", 8000L)));

        assertThat(noon.at(NOON.plusSeconds(1), new QuotaDeleted("ml", "r")))
                .containsExactly(to(DEFAULT, quotaSeen(9000)));
        assertThat(noon.at(NOON.plusSeconds(1), quota("q", Map.of())))
                .containsExactly(to(DEFAULT, new QuotaGone("ml")));
        assertThat(noon.at(NOON.plusSeconds(1), new QuotaDeleted("ml", "q"))).isEmpty();
        assertThat(noon.on(new QuotaDeleted("never", "there"))).isEmpty();
    }

    @Test
    void aSnapshotTellsAllQuotas() {
        noon.on(quota("q", Map.of("cpu", 9000L)));
        noon.on(seen(POD));

        assertThat(noon.ready(ONE))
                .containsExactly(
                        to(DEFAULT, new SnapshotBegin("1-7-1")),
                        to(DEFAULT, quotaSeen(9000)),
                        to(DEFAULT, podSeen(POD)),
                        to(DEFAULT, new SnapshotEnd("1-7-1")));
        assertThat(noon.on(new Listed(Kind.QUOTAS)))
                .contains(to(DEFAULT, quotaSeen(9000)))
                .hasSize(4);
    }

    /** The pool declares gone what the snapshot does not list. */
    @Test
    void whatWentWhileThePoolWasNotToldIsNotInItsSnapshot() {
        noon.ready(ONE);
        noon.on(quota("q", Map.of("cpu", 9000L)));
        noon.on(seen(foreign("a", "n1", "1")));
        noon.on(gone(foreign("a", "n1", "1")));
        noon.on(new SendFailed("default"));
        noon.on(new QuotaDeleted("ml", "q"));

        assertThat(noon.at(NOON.plusSeconds(2), new Tick()))
                .extracting(effect -> (Object) ((Publish) effect).report().getClass())
                .isEqualTo(List.of(SnapshotBegin.class, SnapshotEnd.class));
        assertThat(noon.at(NOON.plusSeconds(2), quota("q", Map.of("cpu", 9000L))))
                .containsExactly(to(DEFAULT, quotaSeen(9000)));
    }

    private static ShardEvent quota(String name, Map<String, Long> hard) {
        return new QuotaChanged(new Quota("ml", name, Scope.ALL, new TreeMap<>(hard)));
    }

    private static ShardEvent gone(Pod pod) {
        return new PodDeleted(Pods.nameOf(pod));
    }

    private static Report quotaSeen(long cpu) {
        return new QuotaSeen("ml", Map.of("cpu", cpu), Map.of());
    }

    private static Report quotaSeen(long cpu, long used) {
        return new QuotaSeen("ml", Map.of("cpu", cpu), Map.of("cpu", used));
    }
}
