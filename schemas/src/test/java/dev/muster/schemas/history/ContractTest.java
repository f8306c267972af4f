package dev.muster.schemas.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.Topics;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.apache.avro.Schema.Type;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The manner of the contract: what Avro would allow and readers would regret. */
class ContractTest {
    /** These count or name what they are called, wherever they stand. */
    private static final Set<String> SPEAKING_NUMBERS =
            Set.of(
                    ("index attempt incarnation version plan offset partition number"
                                    + " resourceVersion shard shards epoch step rows replicas"
                                    + " masterPort min max first last elasticMax restartCount"
                                    + " desired created running ready succeeded failed waiting")
                            .split(" "));

    @ParameterizedTest
    @MethodSource("types")
    void typeStandsInTheContractsNamespace(Schema type) {
        assertThat(type.getNamespace()).isEqualTo("dev.muster.v1");
    }

    @ParameterizedTest
    @MethodSource("enums")
    void enumBeginsWithUnknownAndReadsNewerSymbolsAsIt(Schema type) {
        assertThat(type.getEnumSymbols()).startsWith("UNKNOWN");
        assertThat(type.getEnumDefault()).isEqualTo("UNKNOWN");
    }

    @ParameterizedTest
    @MethodSource("records")
    void unionSaysOnlyThatAFieldMayBeNull(Schema type) {
        assertThat(type.getFields())
                .filteredOn(field -> field.schema().isUnion())
                .allMatch(field -> field.schema().getTypes().size() == 2)
                .allMatch(field -> field.schema().getTypes().getFirst().getType() == Type.NULL)
                .allMatch(Field::hasDefaultValue);
    }

    @ParameterizedTest
    @MethodSource("records")
    void numbersAreExact(Schema type) {
        assertThat(type.getFields())
                .noneMatch(
                        field -> Set.of(Type.FLOAT, Type.DOUBLE).contains(inner(field).getType()));
    }

    @ParameterizedTest
    @MethodSource("records")
    void durationBearsItsUnit(Schema type) {
        assertThat(type.getFields())
                .filteredOn(ContractTest::isNumber)
                .extracting(Field::name)
                .filteredOn(
                        name -> name.matches("(?i).*(timeout|delay|grace|cooldown|window|ttl).*"))
                .allMatch(name -> name.endsWith("Millis"));
    }

    @ParameterizedTest
    @MethodSource("records")
    void pointInTimeIsATimestampInMicroseconds(Schema type) {
        assertThat(type.getFields())
                .filteredOn(
                        field -> Set.of("at", "since", "until", "timestamp").contains(field.name()))
                .extracting(field -> inner(field).getLogicalType().getName())
                .allMatch("timestamp-micros"::equals);
    }

    @ParameterizedTest
    @MethodSource("types")
    void typeSaysWhatItIs(Schema type) {
        assertThat(type.getDoc()).isNotBlank();
    }

    @ParameterizedTest
    @MethodSource("records")
    void numberSaysWhatItCounts(Schema type) {
        assertThat(type.getFields())
                .filteredOn(ContractTest::isNumber)
                .filteredOn(field -> inner(field).getLogicalType() == null)
                .filteredOn(field -> field.doc() == null)
                .extracting(Field::name)
                .filteredOn(name -> !name.matches(".*(Millis|Micros)"))
                .allMatch(SPEAKING_NUMBERS::contains);
    }

    @Test
    void listOfSpeakingNumbersHasNoneTooMany() {
        assertThat(records().flatMap(type -> type.getPayload().getFields().stream()))
                .filteredOn(field -> field.doc() == null)
                .extracting(Field::name)
                .containsAll(SPEAKING_NUMBERS);
    }

    static Stream<Named<Schema>> records() {
        return types().filter(type -> type.getPayload().getType() == Type.RECORD);
    }

    static Stream<Named<Schema>> enums() {
        return types().filter(type -> type.getPayload().getType() == Type.ENUM);
    }

    static Stream<Named<Schema>> types() {
        var types = new TreeMap<String, Schema>();
        Topics.all().forEach(topic -> collect(SchemaHistory.current(topic), types));
        return types.values().stream().map(type -> Named.of(type.getName(), type));
    }

    private static void collect(Schema schema, Map<String, Schema> into) {
        switch (schema.getType()) {
            case RECORD -> {
                if (into.put(schema.getFullName(), schema) == null) {
                    schema.getFields().forEach(field -> collect(field.schema(), into));
                }
            }
            case ENUM -> into.put(schema.getFullName(), schema);
            case ARRAY -> collect(schema.getElementType(), into);
            case MAP -> collect(schema.getValueType(), into);
            case UNION -> schema.getTypes().forEach(type -> collect(type, into));
            default -> {}
        }
    }

    private static boolean isNumber(Field field) {
        var schema = inner(field);
        return switch (schema.getType()) {
            case INT, LONG -> true;
            case MAP -> schema.getValueType().getType() == Type.LONG;
            case ARRAY -> schema.getElementType().getType() == Type.INT;
            default -> false;
        };
    }

    private static Schema inner(Field field) {
        return field.schema().isUnion() ? field.schema().getTypes().getLast() : field.schema();
    }
}
