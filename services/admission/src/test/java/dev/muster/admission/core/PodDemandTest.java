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
        assertThat(PodDemand.of(new JsonObject("spec", spec, problems), problems))
                .isEqualTo(demand);
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
                .extracting(Problem::path, Problem::given)
                .containsExactly(tuple("spec", "memory 1000000000000001"));
        assertThat(asking("memory", "1P")).isEmpty();
    }

    private static List<Problem> asking(String resource, String amount) {
        var problems = new Problems();
        var container = Map.of("resources", Map.of("limits", Map.of(resource, amount)));
        PodDemand.of(
                new JsonObject("spec", Map.of("containers", List.of(container)), problems),
                problems);
        return problems.all();
    }
}
