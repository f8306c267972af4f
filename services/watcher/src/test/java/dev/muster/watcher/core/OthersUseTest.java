package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.NAME;
import static dev.muster.watcher.core.Cluster.OURS;
import static dev.muster.watcher.core.Cluster.but;
import static dev.muster.watcher.core.Cluster.foreign;
import static dev.muster.watcher.core.Cluster.inPhase;
import static dev.muster.watcher.core.Cluster.ours;
import static dev.muster.watcher.core.Cluster.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.contract.LabelNames;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OthersUseTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private final OthersUse use = new OthersUse(Duration.ofSeconds(1));

    @Test
    void whatIsNotOfThePoolIsSummedByNode() {
        use.add(read(foreign("a", "n1", "1500m")));
        use.add(read(foreign("b", "n1", "500m")));
        use.add(read(foreign("c", "n2", "1")));
        use.add(read(foreign("d", null, "1")));
        use.add(read(inPhase(foreign("e", "n1", "1"), "Succeeded")));
        use.add(read(ours("f", "n1")));
        use.add(read(pod(NAME, "n1", "1", but(OURS, LabelNames.POOL, "other"))));
        assertThat(use.of("n1", "default")).isEqualTo(Map.of("cpu", 3000L, "pods", 3L));
        assertThat(use.of("n1", "other")).isEqualTo(Map.of("cpu", 3000L, "pods", 3L));
        assertThat(use.of("n2", "default")).isEqualTo(Map.of("cpu", 1000L, "pods", 1L));
        assertThat(use.of("n3", "default")).isEmpty();
    }

    @Test
    void aCopyOfOurPodUnderAnotherNameIsAnothers() {
        use.add(read(pod("debugger", "n1", "1", OURS)));
        assertThat(use.of("n1", "default")).isEqualTo(Map.of("cpu", 1000L, "pods", 1L));
    }

    @Test
    void sumsAreExactHoweverLarge() {
        var huge = read(foreign("huge", "n1", Long.MAX_VALUE + "m"));
        use.add(read(foreign("small", "n1", "1")));
        use.add(huge);
        assertThat(use.of("n1", "default").get("cpu")).isEqualTo(Long.MAX_VALUE);
        use.remove(huge);
        assertThat(use.of("n1", "default")).isEqualTo(Map.of("cpu", 1000L, "pods", 1L));
    }

    @Test
    void nothingRemainsOfPodsThatAreGone() {
        var pod = read(foreign("a", "n1", "1"));
        use.add(pod);
        use.remove(pod);
        assertThat(use.of("n1", "default")).isEmpty();
        use.remove(pod);
        assertThat(use.of("n1", "default")).isEmpty();
    }

    @Test
    void lessRoomIsToldAtOnce() {
        use.tell("n1", "default", NOON);
        use.add(read(foreign("a", "n1", "1")));
        assertThat(use.news("n1", "default", NOON)).contains(Map.of("cpu", 1000L, "pods", 1L));
        use.add(read(foreign("b", "n1", "1")));
        assertThat(use.news("n1", "default", NOON)).contains(Map.of("cpu", 2000L, "pods", 2L));
    }

    @Test
    void moreRoomIsToldOnceASecond() {
        var first = read(foreign("a", "n1", "1"));
        var second = read(foreign("b", "n1", "1"));
        use.add(first);
        use.add(second);
        use.tell("n1", "default", NOON);
        use.remove(first);
        assertThat(use.news("n1", "default", NOON.plusMillis(400))).isEmpty();
        use.remove(second);
        assertThat(use.news("n1", "default", NOON.plusMillis(800))).isEmpty();
        assertThat(use.nextDue()).contains(NOON.plusSeconds(1));
        assertThat(use.due(NOON.plusMillis(999))).isEmpty();
        assertThat(use.due(NOON.plusSeconds(1))).containsExactly("n1");
        assertThat(use.news("n1", "default", NOON.plusSeconds(1))).contains(Map.of());
        assertThat(use.nextDue()).isEmpty();
    }

    @Test
    void moreRoomOfOneThingAndLessOfAnotherIsToldAtOnce() {
        var cpu = read(foreign("a", "n1", "1"));
        use.add(cpu);
        use.tell("n1", "default", NOON);
        use.remove(cpu);
        use.add(
                new WatchedPod(
                        cpu.name(),
                        "n1",
                        false,
                        Map.of("x.io/y", 1L, "pods", 1L),
                        Map.of(),
                        QuotaTraits.USUAL,
                        null,
                        null));
        assertThat(use.news("n1", "default", NOON)).contains(Map.of("x.io/y", 1L, "pods", 1L));
    }

    @Test
    void nothingIsToldWhenNothingChanged() {
        var pod = read(foreign("a", "n1", "1"));
        use.add(pod);
        use.tell("n1", "default", NOON);
        use.remove(pod);
        assertThat(use.news("n1", "default", NOON.plusMillis(1))).isEmpty();
        use.add(pod);
        assertThat(use.news("n1", "default", NOON.plusMillis(2))).isEmpty();
        assertThat(use.nextDue()).isEmpty();
        assertThat(use.news("n1", "default", NOON.plusSeconds(9))).isEmpty();
    }

    @Test
    void whoGetsTheNodeHearsEverything() {
        use.tell("n1", "default", NOON);
        use.forget("n1");
        assertThat(use.wasTold("n1")).isFalse();
        assertThat(use.news("n1", "other", NOON)).contains(Map.of());
    }

    private static WatchedPod read(Pod pod) {
        return new Pods("muster").read(pod);
    }
}
