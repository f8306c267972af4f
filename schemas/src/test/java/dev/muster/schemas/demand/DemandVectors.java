package dev.muster.schemas.demand;

import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Pods and what the real scheduler's functions make of them, for all who read pods; made by {@code
 * src/test/golden/demand.go}.
 */
public final class DemandVectors {
    private DemandVectors() {}

    record Vector(
            String name,
            Map<String, Object> spec,
            @Nullable Map<String, Object> status,
            Map<String, Long> demand,
            @Nullable Map<String, Long> limits) {}

    /** Pods of which nothing but the {@code spec} is there yet: it, and the demand. */
    public static Stream<Arguments> ofSpecs() throws IOException {
        return all().filter(v -> v.status() == null)
                .map(v -> argumentSet(v.name(), v.spec(), v.demand()));
    }

    /** The same pods: the {@code spec}, and what one may use at most. */
    public static Stream<Arguments> ofLimits() throws IOException {
        return all().filter(v -> v.status() == null)
                .map(v -> {
                    Map<String, Long> limits = v.limits() == null ? Map.of() : v.limits();
                    return argumentSet(v.name(), v.spec(), limits);
                });
    }

    /** All pods: {@code spec} with {@code status}, and the demand. */
    public static Stream<Arguments> ofPods() throws IOException {
        return all().map(v -> {
            Map<String, Object> status = v.status() == null ? Map.of() : v.status();
            return argumentSet(v.name(), Map.of("spec", v.spec(), "status", status), v.demand());
        });
    }

    private static Stream<Vector> all() throws IOException {
        try (var file = DemandVectors.class.getResourceAsStream("vectors.json")) {
            return new JsonMapper().readValue(file, new TypeReference<List<Vector>>() {}).stream();
        }
    }
}
