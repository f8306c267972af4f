package dev.muster.schemas.history;

import static org.apache.avro.SchemaCompatibility.checkReaderWriterCompatibility;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.schemas.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility.Incompatibility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** FULL_TRANSITIVE: every version reads every other. */
class SchemaCompatibilityTest {
    private static final String RECORD =
            """
            {"type":"record","name":"R","fields":[{"name":"a","type":"string"},{"name":"k","type":\
            {"type":"enum","name":"K","symbols":["UNKNOWN","A"],"default":"UNKNOWN"}}%s]}\
            """;

    private final SchemaHistory history =
            new SchemaHistory(Path.of("src", "main", "schemas-history"));

    @ParameterizedTest
    @MethodSource("dev.muster.schemas.Topics#all")
    void everyVersionReadsEveryOther(Topic<?> topic) throws IOException {
        var schemas = new ArrayList<Schema>();
        schemas.add(SchemaHistory.current(topic));
        history.versions(topic).forEach(version -> schemas.add(version.schema()));

        assertThat(incompatibilities(schemas)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void changeThatBreaksSomebodyIsFound(String from, String to) {
        var before = RECORD.formatted("");

        assertThat(incompatibilities(parsed(before, before.replace(from, to)))).isNotEmpty();
    }

    static Stream<Arguments> changeThatBreaksSomebodyIsFound() {
        return Stream.of(
                argumentSet("other type", "\"type\":\"string\"", "\"type\":\"long\""),
                argumentSet("renamed", "\"a\"", "\"b\""),
                argumentSet("symbol without default", "A\"],\"default\":\"UNKNOWN\"", "B\"]"),
                argumentSet(
                        "field without default",
                        "{\"name\":\"a\"",
                        "{\"name\":\"b\",\"type\":\"int\"},{\"name\":\"a\""));
    }

    @Test
    void newFieldWithDefaultAndNewEnumSymbolAreFine() {
        var before = RECORD.formatted("");
        var after =
                RECORD.formatted(",{\"name\":\"b\",\"type\":[\"null\",\"int\"],\"default\":null}")
                        .replace("\"A\"]", "\"A\",\"B\"]");

        assertThat(incompatibilities(parsed(before, after))).isEmpty();
    }

    private static List<Schema> parsed(String... schemas) {
        return Stream.of(schemas).map(text -> new Schema.Parser().parse(text)).toList();
    }

    private static List<Incompatibility> incompatibilities(List<Schema> schemas) {
        return schemas.stream()
                .flatMap(reader ->
                        schemas.stream()
                                .map(w -> checkReaderWriterCompatibility(reader, w))
                                .flatMap(pair -> pair.getResult().getIncompatibilities().stream()))
                .toList();
    }
}
