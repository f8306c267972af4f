package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PodDemandTest {
    @ParameterizedTest
    @MethodSource("dev.muster.schemas.demand.DemandVectors#ofSpecs")
    void demandIsWhatTheSchedulerCounts(Map<String, Object> spec, Map<String, Long> demand) {
        var problems = new Problems();
        var pod = new JsonObject("spec", spec, problems);
        assertThat(PodDemand.of(pod)).isEqualTo(demand);
        PodDemand.check(pod, problems);
        assertThat(problems.all()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.muster.schemas.demand.DemandVectors#ofLimits")
    void limitsAreWhatQuotasCount(Map<String, Object> spec, Map<String, Long> limits) {
        var problems = new Problems();
        assertThat(PodDemand.limits(new JsonObject("spec", spec, problems))).isEqualTo(limits);
        assertThat(problems.all()).isEmpty();
    }

    @Test
    void whatIsNoQuantityIsTold() {
        assertThat(asking("memory", "1gi"))
                .extracting(Problem::path, Problem::given)
                .containsExactly(tuple("spec.containers[0].resources.limits.memory", "1gi"));
    }

    @Test
    void whatNoMachineHasIsTold() {
        assertThat(asking("memory", "1000000000000001"))
                .containsExactly(
                        new Problem(
                                "spec.containers[0].resources.limits.memory",
                                "1000000000000001",
                                "must be at most 1,000,000,000,000,000"));
        assertThat(asking("cpu", "1000000000001"))
                .containsExactly(
                        new Problem(
                                "spec.containers[0].resources.limits.cpu",
                                "1000000000001",
                                "must be at most 1,000,000,000,000"));
        assertThat(asking("memory", "1P")).isEmpty();
    }

    @Test
    void limitThatNoMachineHasIsToldBesideAnyRequest() {
        assertThat(problems(Map.of("containers", List.of(container("1Gi", "4E")))))
                .extracting(Problem::path, Problem::given)
                .containsExactly(tuple("spec.containers[0].resources.limits.memory", "4E"));
        var init =
                Map.of("containers", List.of(), "initContainers", List.of(container("4E", "4E")));
        assertThat(problems(init))
                .extracting(Problem::path)
                .containsExactly(
                        "spec.initContainers[0].resources.requests.memory",
                        "spec.initContainers[0].resources.limits.memory");
        assertThat(
                        problems(
                                Map.of(
                                        "resources",
                                        Map.of("limits", Map.of("memory", "2P")),
                                        "overhead",
                                        Map.of("nvidia.com/gpu", "2P"))))
                .extracting(Problem::path)
                .containsExactly("spec.resources.limits.memory", "spec.overhead['nvidia.com/gpu']");
    }

    @Test
    void whatContainersHaveTogetherIsToldOfThePod() {
        assertThat(
                        problems(
                                Map.of(
                                        "containers",
                                        List.of(
                                                container("1Gi", "600T"),
                                                container("1Gi", "600T")))))
                .containsExactly(
                        new Problem(
                                "spec",
                                "limits.memory 1200000000000000",
                                "must be at most 1,000,000,000,000,000 for one pod"));
        assertThat(
                        problems(
                                Map.of(
                                        "containers",
                                        List.of(
                                                container("600T", "600T"),
                                                container("600T", "1P")))))
                .extracting(Problem::path, Problem::given)
                .containsExactly(
                        tuple("spec", "requests.memory 1200000000000000"),
                        tuple("spec", "limits.memory 1600000000000000"));
    }

    private static Map<String, Object> container(String request, String limit) {
        return Map.of(
                "resources",
                Map.of("requests", Map.of("memory", request), "limits", Map.of("memory", limit)));
    }

    private static List<Problem> asking(String resource, String amount) {
        var container = Map.of("resources", Map.of("limits", Map.of(resource, amount)));
        return problems(Map.of("containers", List.of(container)));
    }

    private static List<Problem> problems(Map<String, ?> spec) {
        var problems = new Problems();
        PodDemand.check(new JsonObject("spec", spec, problems), problems);
        return problems.all();
    }
}
