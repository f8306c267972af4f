package dev.muster.admission.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

class DemandTest {
    record Vector(String name, Map<String, Object> spec, Map<String, Long> demand) {}

    @ParameterizedTest
    @MethodSource
    void demandIsWhatTheSchedulerCounts(Map<String, Object> spec, Map<String, Long> demand) {
        var problems = new Problems();
        assertThat(Demand.of(new JsonObject("spec", spec, problems), problems)).isEqualTo(demand);
        assertThat(problems.all()).isEmpty();
    }

    static Stream<Arguments> demandIsWhatTheSchedulerCounts() throws IOException {
        try (var file = DemandTest.class.getResourceAsStream("/demand-vectors.json")) {
            return new JsonMapper()
                    .readValue(file, new TypeReference<List<Vector>>() {}).stream()
                            .map(v -> argumentSet(v.name(), v.spec(), v.demand()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "-1", "-1m", "1 Gi", "1gi", "1Kib", "a", "1.2.3", "1e", "e3", "0x10", "1e999",
                "∞", "1,5", "1K"
            })
    void whatIsNoQuantityIsTold(String given) {
        assertThat(asking("memory", given))
                .extracting(Problem::path, Problem::given)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                "spec.containers[0].resources.limits.memory", given));
    }

    @Test
    void whatNoMachineHasIsTold() {
        assertThat(asking("memory", "2P")).extracting(Problem::path).containsExactly("spec");
        assertThat(asking("memory", "1P")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0", "+1", "0", ".5", "1.", "1E", "1e3", "1E-3"})
    void whatKubernetesReadsIsAQuantity(String given) {
        assertThat(Quantity.parse(given)).isNotNull();
    }

    private static List<Problem> asking(String resource, String amount) {
        var problems = new Problems();
        var container = Map.of("resources", Map.of("limits", Map.of(resource, amount)));
        Demand.of(
                new JsonObject("spec", Map.of("containers", List.of(container)), problems),
                problems);
        return problems.all();
    }
}
