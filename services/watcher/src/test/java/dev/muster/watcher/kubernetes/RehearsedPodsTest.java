package dev.muster.watcher.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.watcher.core.PodPhase;
import dev.muster.watcher.core.Pods;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class RehearsedPodsTest {
    private final RehearsedPods pods =
            new RehearsedPods(new KubernetesSerialization(), new Pods("another"));

    @Test
    void theyAreReadAsPodsOfOurs() {
        var page = pods.read();

        assertThat(page).hasSize(100);
        assertThat(page)
                .allSatisfy(pod -> {
                    assertThat(pod.pool()).isEqualTo("rehearsal");
                    assertThat(pod.identity().job().name()).isEqualTo("rehearsal");
                    assertThat(pod.status().phase()).isEqualTo(PodPhase.RUNNING);
                    assertThat(pod.containers()).hasSize(1);
                });
    }

    @Test
    void eachPageIsReadAnew() {
        assertThat(pods.read().getFirst()).isNotSameAs(pods.read().getFirst());
    }
}
