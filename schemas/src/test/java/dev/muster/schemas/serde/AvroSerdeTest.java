package dev.muster.schemas.serde;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.v1.JobRef;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobRequestKind;
import dev.muster.v1.Parked;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AvroSerdeTest {
    private static final String TOPIC = "muster.job-requests";
    private static final JobRequest CANCEL = Records.cancel("resnet");
    private static final Parked PARKED =
            Parked.newBuilder()
                    .setEnvelope(CANCEL.getEnvelope())
                    .setTopic("muster.inbox")
                    .setPartition(3)
                    .setOffset(9_000_000_000L)
                    .setTimestamp(Instant.parse("2026-01-01T12:00:00.123456Z"))
                    .setValue(ByteBuffer.wrap(new byte[] {1, 2}))
                    .setError("no Avro")
                    .build();

    private final FakeRegistry registry = new FakeRegistry();

    @AfterEach
    void close() {
        registry.close();
    }

    @Test
    void recordComesBackAsItWas() {
        assertThat(thereAndBack(Parked.class, PARKED)).isEqualTo(PARKED);
        assertThat(thereAndBack(JobRequest.class, CANCEL)).isEqualTo(CANCEL);
    }

    @Test
    void bytesBeginWithAZeroAndTheIdOfTheSchema() {
        registry.answerNext(200, "{\"id\":16909060}");
        try (var serde = AvroSerde.of(JobRequest.class, registry.config())) {
            var bytes = serde.serializer().serialize(TOPIC, CANCEL);

            assertThat(Arrays.copyOf(bytes, 5)).containsExactly(0, 1, 2, 3, 4);
        }
    }

    @Test
    void nullStaysNull() {
        try (var serde = AvroSerde.of(JobRequest.class, registry.config())) {
            assertThat(serde.serializer().serialize(TOPIC, null)).isNull();
            assertThat(serde.deserializer().deserialize(TOPIC, null)).isNull();
        }
        assertThat(registry.requests()).isEmpty();
    }

    @Test
    void registryIsAskedOnceForEachSubjectAndOnceForEachId() {
        try (var writer = serializer(Map.of());
                var serde = AvroSerde.of(JobRequest.class, registry.config())) {
            for (var name : List.of("a", "b", "c")) {
                var bytes = writer.serialize(TOPIC, Records.cancel(name));
                assertThat(serde.deserializer().deserialize(TOPIC, bytes))
                        .isEqualTo(Records.cancel(name));
            }
        }
        assertThat(registry.requests())
                .containsExactly(
                        "POST /subjects/muster.job-requests-value/versions", "GET /schemas/ids/1");
    }

    @Test
    void onlyLookedUpWhereRegisteringIsOff() {
        try (var writer = serializer(Map.of("auto.register.schemas", "false"))) {
            assertThatExceptionOfType(SchemaRefusedException.class)
                    .isThrownBy(() -> writer.serialize(TOPIC, CANCEL))
                    .withMessageContainingAll(TOPIC + "-value", "auto.register.schemas");

            try (var registering = serializer(Map.of())) {
                var bytes = registering.serialize(TOPIC, CANCEL);
                assertThat(writer.serialize(TOPIC, CANCEL)).isEqualTo(bytes);
            }
        }
        assertThat(registry.requests())
                .contains("POST /subjects/muster.job-requests-value")
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TopicNameStrategy=muster.job-requests-value",
                "RecordNameStrategy=dev.muster.v1.JobRequest",
                "TopicRecordNameStrategy=muster.job-requests-dev.muster.v1.JobRequest"
            })
    void subjectFollowsTheStrategyThatConfluentsClassNames(String row) {
        var strategy = row.split("=")[0];
        var confluents = "io.confluent.kafka.serializers.subject." + strategy;
        for (var config :
                List.of(
                        Map.of("subject.name.strategy", strategy),
                        Map.of("value.subject.name.strategy", confluents))) {
            try (var writer = serializer(config)) {
                writer.serialize(TOPIC, CANCEL);
            }
        }
        assertThat(registry.requests())
                .hasSize(2)
                .containsOnly("POST /subjects/" + row.split("=")[1] + "/versions");
    }

    @Test
    void schemaIsRegisteredWithoutWhatOnlyJavaReads() {
        try (var client = new RegistryClient(RegistryConfig.from(registry.config()));
                var writer = serializer(Map.of())) {
            writer.serialize(TOPIC, CANCEL);

            assertThat(client.schema(1).toString())
                    .doesNotContain("avro.java.string")
                    .contains("\"name\":\"namespace\",\"type\":\"string\"");
            assertThat(client.schema(1).getFullName()).isEqualTo("dev.muster.v1.JobRequest");
        }
    }

    @Test
    void recordThatLacksARequiredFieldIsRefusedByItsPath() {
        var lacking = Records.cancel("resnet");
        lacking.getEnvelope().setActor(null);
        try (var writer = serializer(Map.of())) {
            assertThatExceptionOfType(SerializationException.class)
                    .isThrownBy(() -> writer.serialize(TOPIC, lacking))
                    .withMessageContainingAll("JobRequest", TOPIC, "envelope.actor");
        }
    }

    @Test
    void bytesOfAnotherFormatAreUnreadable() {
        unreadable(new byte[0], "0 bytes");
        unreadable(new byte[] {0, 0, 0, 1}, "4 bytes");
        unreadable("{\"kind\":\"SUBMIT\"}".getBytes(UTF_8), "0x7b");
    }

    @Test
    void unknownIdIsUnreadable() {
        unreadable(new byte[] {0, 0, 0, 0, 77, 1, 2}, "no schema with id 77");
    }

    @Test
    void bytesThatTheSchemaDoesNotSayAreUnreadable() {
        try (var writer = serializer(Map.of())) {
            var bytes = writer.serialize(TOPIC, CANCEL);

            unreadable(Arrays.copyOf(bytes, bytes.length - 1), "not what its schema says");
            unreadable(Arrays.copyOf(bytes, bytes.length + 1), "longer");
            unreadable(Arrays.copyOf(bytes, 5), "not what its schema says");
            var huge = Arrays.copyOf(bytes, 10);
            Arrays.fill(huge, 5, 9, (byte) -1);
            huge[9] = 7;
            unreadable(huge, "not what its schema says");
        }
    }

    /** As lengths of texts, bytes, lists and maps, wherever in the record one is read. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                Long.MIN_VALUE,
                -1,
                Integer.MAX_VALUE - 8,
                Integer.MAX_VALUE - 7,
                1L << 31,
                Long.MAX_VALUE
            })
    void lengthThatNothingHasIsUnreadableWhereverItStands(long length) {
        try (var writer = serializer(Map.of())) {
            unreadableOrAnother(
                    JobRequest.class, writer.serialize(TOPIC, Records.submit("resnet")), length);
            unreadableOrAnother(Parked.class, writer.serialize(TOPIC, PARKED), length);
        }
    }

    /** Its writer's schema has a field more, and is of any depth that its bytes have. */
    @Test
    void depthThatNoStackHasIsUnreadable() {
        var deep =
                new Schema.Parser()
                        .parse(
                                SchemaText.of(JobRef.SCHEMA$)
                                        .replace(
                                                "\"fields\":[",
                                                """
                                                "fields":[{"name":"more","type":{"type":"record",
                                                "name":"Deep","fields":[{"name":"next",
                                                "type":["null","Deep"]}]}},\
                                                """));
        var body = new byte[1 << 22];
        Arrays.fill(body, (byte) 2);
        try (var serde = AvroSerde.of(JobRef.class, registry.config())) {
            assertThatExceptionOfType(UnreadableRecordException.class)
                    .isThrownBy(() -> serde.deserializer().deserialize(TOPIC, framed(deep, body)));
        }
    }

    @Test
    void recordOfAnotherKindIsUnreadable() {
        try (var writer = serializer(Map.of())) {
            unreadable(
                    writer.serialize(TOPIC, new JobRef("ml", "resnet", "0-1")),
                    "dev.muster.v1.JobRef, not of dev.muster.v1.JobRequest");
        }
    }

    @Test
    void schemaThatLacksARequiredFieldIsUnreadable() {
        var schema =
                SchemaBuilder.record("dev.muster.v1.JobRequest")
                        .fields()
                        .requiredString("namespace")
                        .endRecord();

        unreadable(framed(schema, new byte[] {2, 'a'}), "READER_FIELD_MISSING_DEFAULT_VALUE");
    }

    @Test
    void enumSymbolOfANewerWriterIsReadAsUnknown() {
        var newer =
                new Schema.Parser()
                        .parse(
                                SchemaText.of(JobRequest.SCHEMA$)
                                        .replace("\"CHANGE\"]", "\"CHANGE\",\"EXPLODE\"]"));
        try (var writer = serializer(Map.of());
                var serde = AvroSerde.of(JobRequest.class, registry.config())) {
            var bytes = writer.serialize(TOPIC, CANCEL);
            var body = Arrays.copyOfRange(bytes, 5, bytes.length);
            var kindAt = new String(body, ISO_8859_1).indexOf("\u0004\u0004ml");
            body[kindAt] = 8;

            assertThat(serde.deserializer().deserialize(TOPIC, framed(newer, body)).getKind())
                    .isEqualTo(JobRequestKind.UNKNOWN);
        }
    }

    @Test
    void classFollowsTheWritersSchemaWhereNoneIsGiven() {
        try (var writer = serializer(Map.of());
                var reader = new AvroDeserializer<SpecificRecord>()) {
            reader.configure(registry.config(), false);
            var ref = new JobRef("ml", "resnet", "0-1");

            assertThat(reader.deserialize(TOPIC, writer.serialize(TOPIC, ref))).isEqualTo(ref);
            assertThat(reader.deserialize(TOPIC, writer.serialize(TOPIC, CANCEL)))
                    .isEqualTo(CANCEL);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no.such.Thing", "java.util.ArrayList"})
    void classThatIsNoneOfTheContractsIsNeverMade(String name) {
        var schema = SchemaBuilder.record(name).fields().requiredInt("size").endRecord();
        try (var reader = new AvroDeserializer<SpecificRecord>()) {
            reader.configure(registry.config(), false);

            assertThatExceptionOfType(UnreadableRecordException.class)
                    .isThrownBy(() -> reader.deserialize(TOPIC, framed(schema, new byte[] {2})))
                    .withMessageContainingAll(name, "no class");
        }
    }

    @Test
    void manyThreadsShareOneSerde() throws Exception {
        try (var serde = AvroSerde.of(JobRequest.class, registry.config());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<JobRequest> once =
                    () ->
                            serde.deserializer()
                                    .deserialize(
                                            TOPIC, serde.serializer().serialize(TOPIC, CANCEL));
            for (var read : threads.invokeAll(Collections.nCopies(200, once))) {
                assertThat(read.get()).isEqualTo(CANCEL);
            }
        }
    }

    private <T extends SpecificRecord> T thereAndBack(Class<T> type, T record) {
        try (var writing = AvroSerde.of(type, registry.config());
                var reading = AvroSerde.of(type, registry.config())) {
            return reading.deserializer()
                    .deserialize(TOPIC, writing.serializer().serialize(TOPIC, record));
        }
    }

    private void unreadable(byte[] bytes, String why) {
        try (var serde = AvroSerde.of(JobRequest.class, registry.config())) {
            assertThatExceptionOfType(UnreadableRecordException.class)
                    .isThrownBy(() -> serde.deserializer().deserialize(TOPIC, bytes))
                    .withMessageContaining(why);
        }
    }

    /** Where a number is read that is no length it may do, and the record is another one. */
    private <T extends SpecificRecord> void unreadableOrAnother(
            Class<T> type, byte[] bytes, long length) {
        try (var serde = AvroSerde.of(type, registry.config())) {
            for (int at = 5; at < bytes.length; at++) {
                var spoilt = with(bytes, at, length);
                try {
                    assertThat(serde.deserializer().deserialize(TOPIC, spoilt)).isNotNull();
                } catch (UnreadableRecordException e) {
                    assertThat(e).hasMessageContaining("its schema says");
                }
            }
        }
    }

    /** What stands before {@code at}, and then a number as Avro writes it. */
    private static byte[] with(byte[] bytes, int at, long number) {
        var spoilt = ByteBuffer.allocate(at + 10).put(bytes, 0, at);
        var rest = (number << 1) ^ (number >> 63);
        while ((rest & ~0x7fL) != 0) {
            spoilt.put((byte) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        spoilt.put((byte) rest);
        return Arrays.copyOf(spoilt.array(), spoilt.position());
    }

    /** As somebody else's client would write it. */
    private byte[] framed(Schema schema, byte[] body) {
        try (var client = new RegistryClient(RegistryConfig.from(registry.config()))) {
            var id = client.register("others", schema);
            return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(id).put(body).array();
        }
    }

    private AvroSerializer<SpecificRecord> serializer(Map<String, String> more) {
        var config = new HashMap<>(registry.config());
        config.putAll(more);
        var serializer = new AvroSerializer<SpecificRecord>();
        serializer.configure(config, false);
        return serializer;
    }
}
