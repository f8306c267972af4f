package dev.muster.schemas.demand;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.demand.PodResources.Init;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DemandTest {
    @ParameterizedTest
    @MethodSource("dev.muster.schemas.demand.DemandVectors#ofSpecs")
    void demandIsWhatTheSchedulerCounts(Map<String, Object> spec, Map<String, Long> demand) {
        assertThat(Demand.of(pod(spec))).isEqualTo(demand);
    }

    @ParameterizedTest
    @MethodSource("dev.muster.schemas.demand.DemandVectors#ofLimits")
    void limitsAreWhatQuotasCount(Map<String, Object> spec, Map<String, Long> limits) {
        assertThat(Demand.limitsOf(pod(spec))).isEqualTo(limits);
    }

    @Test
    void sumsAreCappedAtTheLargestNumber() {
        var most = Map.of("memory", quantity(Long.MAX_VALUE));
        var large = new Resources(most, Map.of());
        var pod = new PodResources(List.of(large, large), List.of(), NONE, Map.of());

        assertThat(Demand.of(pod)).containsEntry("memory", Long.MAX_VALUE);
    }

    private static final Resources NONE = new Resources(Map.of(), Map.of());

    private static PodResources pod(Map<?, ?> spec) {
        return new PodResources(
                list(spec, "containers").stream().map(c -> resources(c)).toList(),
                list(spec, "initContainers").stream()
                        .map(c -> new Init(resources(c), "Always".equals(c.get("restartPolicy"))))
                        .toList(),
                resources(spec),
                quantities(spec, "overhead"));
    }

    private static Resources resources(Map<?, ?> owner) {
        var resources = map(owner, "resources");
        return new Resources(quantities(resources, "requests"), quantities(resources, "limits"));
    }

    private static Map<String, Quantity> quantities(Map<?, ?> owner, String key) {
        return map(owner, key).entrySet().stream()
                .collect(toMap(e -> (String) e.getKey(), e -> quantity(e.getValue())));
    }

    private static Quantity quantity(Object value) {
        var quantity = Quantity.parse(value.toString());
        assertThat(quantity).as(value.toString()).isNotNull();
        return quantity;
    }

    private static Map<?, ?> map(Map<?, ?> owner, String key) {
        return owner.get(key) instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<Map<?, ?>> list(Map<?, ?> owner, String key) {
        return owner.get(key) instanceof List<?> list
                ? list.stream().<Map<?, ?>>map(element -> (Map<?, ?>) element).toList()
                : List.of();
    }
}
