package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.NamedJobs.one;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What quotas of namespaces count, and whom they keep back. */
class PoolNamespaceQuotaTest {
    private final Play play = Play.withNodes(4, 4);
    private final NamedJobs jobs = new NamedJobs(play);

    @Test
    void quotaOfANamespaceCountsLikeALimit() {
        jobs.queue("a", QueueSpecs.QUEUE);
        play.on(
                new Event.NamespaceQuotaSeen(
                        WATCHER,
                        "ml",
                        Amounts.of(Map.of("requests.cpu", 3000L, "count/pods", 100L)),
                        Amounts.of(Map.of("requests.cpu", 1000L))));
        jobs.submit("a0", 0, "a");
        jobs.submit("a1", 1, "a");
        jobs.submit("a2", 2, "a");
        assertThat(play.takeStarted()).containsExactly("a0", "a1");
        play.on(new Event.NamespaceQuotaGone(WATCHER, "ml"));
        assertThat(play.takeStarted()).containsExactly("a2");
    }

    /** As administrators keep a namespace from GPUs, or from everything. */
    @ParameterizedTest
    @ValueSource(strings = {"requests.cpu", "cpu", "pods", "count/pods"})
    void quotaOfNothingStopsAllThatAskForIt(String name) {
        jobs.queue("a", QueueSpecs.QUEUE);
        var none = new TreeSet<>(Set.of(name));
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", Fixtures.cpu(9), none, Amounts.NONE));
        jobs.submit("a0", 0, "a");
        assertThat(play.takeOne(Effect.Waits.class).reason().code())
                .isEqualTo(Code.EXCEEDS_MAX_QUOTA);
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", Fixtures.cpu(9), Amounts.NONE));
        assertThat(play.takeStarted()).containsExactly("a0");
    }

    @ParameterizedTest
    @CsvSource({
        "cpu, 2",
        "requests.cpu, 2",
        "limits.cpu, 4",
        "limits.nvidia.com/gpu, 8",
        "pods, 1",
        "count/pods, 1",
        "nvidia.com/gpu, 8",
        "requests.nvidia.com/gpu, 8",
        "services, 0"
    })
    void namesOfAQuotaCountWhatKubernetesCountsUnderThem(String name, long counted) {
        var use =
                new Use(
                        Amounts.of(Map.of("cpu", 2L, "pods", 1L, "nvidia.com/gpu", 8L)),
                        Amounts.of(Map.of("cpu", 2L)));
        assertThat(use.counted(name)).isEqualTo(counted);
    }

    /** It is there until it is deleted: the API server counts objects. */
    @Test
    void podThatHasEndedCountsWhereObjectsAreCounted() {
        jobs.queue("a", QueueSpecs.QUEUE);
        jobs.namespace("count/pods", 1);
        jobs.submit("a0", 0, "a");
        jobs.submit("a1", 1, "a");
        assertThat(play.takeStarted()).containsExactly("a0");
        jobs.end("a0", 0);
        assertThat(play.takeStarted()).isEmpty();
        play.on(new Event.PodGone(WATCHER, job("a0", 0), Fixtures.mark("worker", 0, 1)));
        assertThat(play.takeStarted()).containsExactly("a1");
    }

    @Test
    void podThatHasEndedUsesNothingElse() {
        jobs.queue("a", QueueSpecs.QUEUE);
        jobs.namespace("pods", 1);
        jobs.submit("a0", 0, "a");
        jobs.submit("a1", 1, "a");
        assertThat(play.takeStarted()).containsExactly("a0");
        jobs.end("a0", 0);
        assertThat(play.takeStarted()).containsExactly("a1");
    }

    /** A pod without limits counts what it requests, whatever is beyond those of others. */
    @Test
    void limitsOfANamespaceAreCountedPodByPod() {
        jobs.queue("a", QueueSpecs.QUEUE);
        jobs.namespace("limits.cpu", 5000);
        var bursts = Amounts.of(Map.of("cpu", 3000L));
        var spec = Respec.roles(one("a"), role -> Respec.limited(role, bursts, null));
        jobs.submit("limited", 0, spec);
        jobs.submit("plain", 1, one("a"));
        jobs.submit("last", 2, one("a"));
        assertThat(play.takeStarted()).containsExactly("limited", "plain", "last");
        jobs.submit("more", 3, one("a"));
        assertThat(play.takeStarted()).isEmpty();
    }
}
