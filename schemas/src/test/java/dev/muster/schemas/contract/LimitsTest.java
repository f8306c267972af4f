package dev.muster.schemas.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.schemas.Topics;
import java.io.IOException;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** What users are told by the forms' schemas is what services go by. */
class LimitsTest {
    @ParameterizedTest
    @MethodSource
    void formsAllowAsMuch(String form, String field, int most) throws IOException {
        assertThat(schema(form, "/" + field + "/maximum")).isEqualTo(Integer.toString(most));
    }

    static Stream<Arguments> formsAllowAsMuch() {
        var spec = "properties/spec/properties/";
        return Stream.of(
                argumentSet("weight", "queue", spec + "weight", Limits.QUEUE_WEIGHT),
                argumentSet("gang.min", "trainjob", "$defs/gangCount", Limits.JOB_PODS),
                argumentSet("nprocPerNode", "trainjob", "$defs/processes", Limits.POD_PROCESSES),
                argumentSet("number", "pool", spec + "number", Limits.POOLS - 1),
                argumentSet(
                        "excludeAt",
                        "pool",
                        "$defs/nodeHealth/properties/excludeAt",
                        Limits.NODE_HEALTH_EXCLUDE_AT));
    }

    @Test
    void formAllowsAsManyJobsBefore() throws IOException {
        var after = "/properties/spec/properties/after/maxItems";
        assertThat(schema("trainjob", after)).isEqualTo(Integer.toString(Limits.AFTER));
    }

    @Test
    void formSaysHowFarMemoryGrows() throws IOException {
        var rule = "/$defs/failure/properties/rules/items/properties";
        var growth = Defaults.MEMORY_GROWTH / 1000 + "." + Defaults.MEMORY_GROWTH % 1000 / 100;
        assertThat(schema("trainjob", rule + "/factor/description")).contains("default " + growth);
    }

    @Test
    void everyTopicTakesTheLargestRecordAndTheInboxEveryPool() {
        assertThat(Topics.all())
                .allMatch(topic ->
                        String.valueOf(Limits.RECORD_BYTES)
                                .equals(
                                        topic.settings()
                                                .get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG)));
        assertThat(Topics.INBOX.partitions()).isEqualTo(Limits.POOLS);
    }

    private static String schema(String form, String pointer) throws IOException {
        var file = "/dev/muster/%s-v1.schema.json".formatted(form);
        try (var in = Objects.requireNonNull(LimitsTest.class.getResourceAsStream(file))) {
            return JsonMapper.shared().readTree(in).at(pointer).asString();
        }
    }
}
