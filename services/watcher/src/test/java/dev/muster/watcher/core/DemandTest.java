package dev.muster.watcher.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DemandTest {
    @ParameterizedTest
    @MethodSource
    void aPodTakesWhatTheSchedulerCounts(String spec, String status, Map<String, Long> demand) {
        var text = "spec: %s\nstatus: %s\n".formatted(spec, status);
        assertThat(Demand.of(Serialization.unmarshal(text, Pod.class))).isEqualTo(demand);
    }

    static Stream<Arguments> aPodTakesWhatTheSchedulerCounts() {
        return Stream.of(
                row("nothing asked", "{containers: [{name: a}]}", Map.of("pods", 1L)),
                row(
                        "containers add up",
                        "{containers: ["
                                + c("a", "cpu: 300m, memory: 1Gi")
                                + ", "
                                + c("b", "cpu: 1")
                                + "]}",
                        Map.of("cpu", 1300L, "memory", 1L << 30, "pods", 1L)),
                row(
                        "halves of a unit add up before they are rounded",
                        "{containers: [" + c("a", "cpu: 500u") + ", " + c("b", "cpu: 500u") + "]}",
                        Map.of("cpu", 1L, "pods", 1L)),
                row(
                        "limits stand in for requests",
                        "{containers: [{name: a, resources: {limits: {nvidia.com/gpu: 2, cpu: 2}, requests: {cpu: 1}}}]}",
                        Map.of("cpu", 1000L, "nvidia.com/gpu", 2L, "pods", 1L)),
                row(
                        "the largest init counts alone",
                        "{initContainers: ["
                                + c("i", "cpu: 3")
                                + ", "
                                + c("j", "cpu: 2")
                                + "], containers: ["
                                + c("a", "cpu: 1")
                                + "]}",
                        Map.of("cpu", 3000L, "pods", 1L)),
                row(
                        "a sidecar counts with the containers",
                        "{initContainers: ["
                                + sidecar("s", "cpu: 500m")
                                + "], containers: ["
                                + c("a", "cpu: 1")
                                + "]}",
                        Map.of("cpu", 1500L, "pods", 1L)),
                row(
                        "an init counts with the sidecars before it only",
                        "{initContainers: ["
                                + sidecar("s", "cpu: 1")
                                + ", "
                                + c("i", "cpu: 3")
                                + ", "
                                + sidecar("t", "cpu: 1")
                                + "], containers: ["
                                + c("a", "cpu: 1")
                                + "]}",
                        Map.of("cpu", 4000L, "pods", 1L)),
                row(
                        "pod-level resources win",
                        "{resources: {requests: {cpu: 2}}, containers: ["
                                + c("a", "cpu: 3, memory: 1Ki, x.io/y: 1")
                                + "]}",
                        Map.of("cpu", 2000L, "memory", 1024L, "x.io/y", 1L, "pods", 1L)),
                row(
                        "pod-level limits stand in where no container asks",
                        "{resources: {limits: {cpu: 2, memory: 1Ki}}, containers: ["
                                + c("a", "cpu: 1")
                                + "]}",
                        Map.of("cpu", 1000L, "memory", 1024L, "pods", 1L)),
                row(
                        "pod-level resources do not know devices",
                        "{resources: {requests: {x.io/y: 5}}, containers: ["
                                + c("a", "x.io/y: 1")
                                + "]}",
                        Map.of("x.io/y", 1L, "pods", 1L)),
                row(
                        "overhead comes on top of everything",
                        "{overhead: {cpu: 250m, memory: 1Ki}, resources: {requests: {cpu: 2}}, containers: ["
                                + c("a", "cpu: 1")
                                + "]}",
                        Map.of("cpu", 2250L, "memory", 1024L, "pods", 1L)),
                resized(
                        "what a shrinking pod still has counts",
                        "{containerStatuses: [{name: a, allocatedResources: {cpu: 3}, resources: {requests: {cpu: 2}}}]}",
                        Map.of("cpu", 3000L, "pods", 1L)),
                resized(
                        "what a growing pod is to have counts",
                        "{containerStatuses: [{name: a, allocatedResources: {cpu: 500m}, resources: {requests: {cpu: 500m}}}]}",
                        Map.of("cpu", 1000L, "pods", 1L)),
                resized(
                        "what a pod can never have does not count",
                        "{conditions: [{type: PodResizePending, status: \"True\", reason: Infeasible}],"
                                + " containerStatuses: [{name: a, allocatedResources: {cpu: 500m}, resources: {requests: {cpu: 500m}}}]}",
                        Map.of("cpu", 500L, "pods", 1L)));
    }

    private static Arguments row(String name, String spec, Map<String, Long> demand) {
        return argumentSet(name, spec, "{phase: Running}", demand);
    }

    private static Arguments resized(String name, String status, Map<String, Long> demand) {
        return argumentSet(name, "{containers: [" + c("a", "cpu: 1") + "]}", status, demand);
    }

    private static String c(String name, String requests) {
        return "{name: %s, resources: {requests: {%s}}}".formatted(name, requests);
    }

    private static String sidecar(String name, String requests) {
        return "{name: %s, restartPolicy: Always, resources: {requests: {%s}}}"
                .formatted(name, requests);
    }
}
