package dev.muster.coordinator.stream.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.schemas.trainjob.TrainJobForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What follows from failures of which a job says nothing: the same wherever it is written. */
class FailureDefaultsTest {
    private static final Path GUIDE = Path.of("../../docs/guide/failures.md");
    private static final String SCHEMA = "/dev/muster/trainjob-v1.schema.json";
    private static final String JOB =
            """
            apiVersion: muster.dev/v1
            kind: TrainJob
            metadata: {name: job}
            spec:
              roles:
              - name: worker
                template: {spec: {containers: [{name: main, image: image}]}}
            """;

    @ParameterizedTest
    @MethodSource
    void defaultsAreThoseOfThePool(String failure) {
        var read = (TrainJobForm.Read) TrainJobForm.read(JOB + failure.indent(2));

        assertThat(InboundFailures.ofJob(read.spec())).isEqualTo(FailurePolicy.PLAIN);
    }

    static Stream<Arguments> defaultsAreThoseOfThePool() throws IOException {
        return Stream.of(
                argumentSet("absent", ""),
                argumentSet("empty", "failure: {}"),
                argumentSet("schema", "failure: " + schema()),
                argumentSet("guide", guide()));
    }

    /** Each default that the JSON Schema names. */
    private static JsonNode schema() throws IOException {
        try (var in = FailureDefaultsTest.class.getResourceAsStream(SCHEMA)) {
            var schema = JsonMapper.shared().readTree(Objects.requireNonNull(in));
            return defaults(schema.at("/$defs/failure/properties"));
        }
    }

    private static ObjectNode defaults(JsonNode properties) {
        var defaults = JsonMapper.shared().createObjectNode();
        properties.forEachEntry((name, property) -> {
            if (property.has("default")) {
                defaults.set(name, property.get("default"));
            } else if (property.has("properties")) {
                defaults.set(name, defaults(property.get("properties")));
            }
        });
        return defaults;
    }

    /** The first block of the guide, but for its examples of rules. */
    private static String guide() throws IOException {
        var text = Files.readString(GUIDE);
        int begin = text.indexOf("failure:\n");
        return text.substring(begin, text.indexOf("  rules:", begin));
    }
}
