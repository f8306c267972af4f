package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.foreign;
import static dev.muster.watcher.core.Cluster.inPhase;
import static dev.muster.watcher.core.Cluster.ours;
import static dev.muster.watcher.core.ShardAtNoon.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.watcher.core.Quota.Scope;
import dev.muster.watcher.core.Report.QuotaSeen;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which pods of others use which quotas, as Kubernetes' scopes have it. */
class NamespaceQuotasTest {
    private static final Scope NOT_TERMINATING = new Scope(false, true);
    private static final Scope NOT_BEST_EFFORT = new Scope(true, false);

    private final NamespaceQuotas quotas = new NamespaceQuotas(Duration.ofSeconds(1));

    @Test
    void podWithADeadlineUsesNothingOfAQuotaThatIsNotForSuchPods() {
        quotas.put(quota("q", NOT_TERMINATING, Map.of("cpu", 20000L, "pods", 9L)));
        add(timeBound(foreign("ci", "n1", "16")));
        add(foreign("web", "n1", "2"));

        assertThat(told())
                .isEqualTo(
                        seen(Map.of("cpu", 20000L, "pods", 9L), Map.of("cpu", 2000L, "pods", 1L)));
    }

    @Test
    void bestEffortPodUsesNothingOfAQuotaThatIsNotForSuchPods() {
        quotas.put(quota("q", NOT_BEST_EFFORT, Map.of("count/pods", 9L, "pods", 9L)));
        add(bestEffort(foreign("idle", "n1", "0")));
        add(inPhase(bestEffort(foreign("ended", "n1", "0")), "Succeeded"));
        add(timeBound(foreign("ci", "n1", "16")));

        assertThat(told())
                .isEqualTo(
                        seen(
                                Map.of("count/pods", 9L, "pods", 9L),
                                Map.of("count/pods", 1L, "pods", 1L)));
    }

    @Test
    void quotaWithoutScopesIsUsedByAll() {
        quotas.put(quota("q", Scope.ALL, Map.of("cpu", 20000L, "pods", 9L)));
        add(timeBound(foreign("ci", "n1", "16")));
        add(bestEffort(foreign("idle", "n1", "0")));
        add(foreign("web", "n1", "2"));
        add(ours("own", "n1"));

        assertThat(told())
                .isEqualTo(
                        seen(Map.of("cpu", 20000L, "pods", 9L), Map.of("cpu", 18000L, "pods", 3L)));
    }

    /** The one with the least amount leaves 6 cpu, the other one 4: as if others used 4 of it. */
    @Test
    void ofTwoQuotasTheOneThatLeavesLessIsHeeded() {
        quotas.put(quota("all", Scope.ALL, Map.of("cpu", 20000L)));
        quotas.put(quota("long", NOT_TERMINATING, Map.of("cpu", 8000L)));
        add(timeBound(foreign("ci", "n1", "14")));
        add(foreign("web", "n1", "2"));
        assertThat(told()).isEqualTo(seen(Map.of("cpu", 8000L), Map.of("cpu", 4000L)));

        quotas.remove(read(timeBound(foreign("ci", "n1", "14"))));
        assertThat(told()).isEqualTo(seen(Map.of("cpu", 8000L), Map.of("cpu", 2000L)));
    }

    @Test
    void podThatGetsADeadlineNoLongerUsesIt() {
        quotas.put(quota("q", NOT_TERMINATING, Map.of("cpu", 20000L)));
        var web = foreign("web", "n1", "2");
        add(web);
        quotas.remove(read(web));
        add(timeBound(web));

        assertThat(told()).isEqualTo(seen(Map.of("cpu", 20000L), Map.of()));
    }

    @Test
    void sumsThatNoNumberHoldsStayTheLargest() {
        quotas.put(quota("q", Scope.ALL, Map.of("cpu", 5L)));
        var most = Long.toString(Long.MAX_VALUE / 1000);
        for (var name : new String[] {"a", "b"}) {
            add(foreign(name, "n1", most));
            add(timeBound(foreign(name + "-ci", "n1", most)));
        }
        assertThat(told()).isEqualTo(seen(Map.of("cpu", 5L), Map.of("cpu", Long.MAX_VALUE)));
    }

    @Test
    void podIsReadByWhatQuotasTellPodsApart() {
        var pod = timeBound(bestEffort(foreign("b", "n1", "0")));
        assertThat(read(pod).traits()).isEqualTo(new QuotaTraits(true, true));
        var withoutStatus = new PodBuilder(pod).withStatus(null).build();
        assertThat(read(withoutStatus).traits()).isEqualTo(new QuotaTraits(true, false));
        assertThat(read(ours("a", null)).traits()).isEqualTo(QuotaTraits.USUAL);
    }

    private void add(Pod pod) {
        quotas.add(read(pod), NOON);
    }

    private Report told() {
        return quotas.tellAll("default", NOON).getFirst();
    }

    private static Report seen(Map<String, Long> hard, Map<String, Long> used) {
        return new QuotaSeen("ml", hard, used);
    }

    private static Quota quota(String name, Scope scope, Map<String, Long> hard) {
        return new Quota("ml", name, scope, new TreeMap<>(hard));
    }

    private static WatchedPod read(Pod pod) {
        return new Pods("muster").read(pod);
    }

    private static Pod timeBound(Pod pod) {
        return new PodBuilder(pod).editSpec().withActiveDeadlineSeconds(60L).endSpec().build();
    }

    private static Pod bestEffort(Pod pod) {
        return new PodBuilder(pod).editStatus().withQosClass("BestEffort").endStatus().build();
    }
}
