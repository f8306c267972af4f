package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PodDemandTest {
    @ParameterizedTest
    @MethodSource("dev.muster.schemas.demand.DemandVectors#ofPods")
    void aPodTakesWhatTheSchedulerCounts(Map<String, Object> pod, Map<String, Long> demand) {
        assertThat(PodDemand.of(Serialization.unmarshal(Serialization.asJson(pod), Pod.class)))
                .isEqualTo(demand);
    }

    @Test
    void aPodWithoutAStatusTakesWhatItSays() {
        var pod = Serialization.unmarshal("spec: {containers: [{name: a}]}", Pod.class);

        assertThat(PodDemand.of(pod)).isEqualTo(Map.of("pods", 1L));
    }

    @Test
    void limitsAreCountedAsQuotasCountThem() {
        var pod =
                Serialization.unmarshal(
                        """
                        spec:
                          containers:
                          - {name: a, resources: {requests: {cpu: 1}, limits: {cpu: 2, memory: 1Ki}}}
                          - {name: b, resources: {requests: {cpu: 1}}}
                          initContainers:
                          - {name: c, restartPolicy: Always, resources: {limits: {cpu: 500m}}}
                          - {name: d, resources: {limits: {memory: 4Ki}}}
                        """,
                        Pod.class);

        assertThat(PodDemand.limits(pod)).isEqualTo(Map.of("cpu", 2500L, "memory", 4096L));
    }

    @Test
    void whatIsNoQuantityIsRefused() {
        var pod = Serialization.unmarshal("spec: {overhead: {cpu: 1parsec}}", Pod.class);

        assertThatThrownBy(() -> PodDemand.of(pod)).hasMessage("Not a quantity: 1parsec");
    }
}
