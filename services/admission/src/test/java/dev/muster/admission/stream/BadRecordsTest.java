package dev.muster.admission.stream;

import static dev.muster.admission.stream.Requests.nameIn;
import static dev.muster.admission.stream.Requests.submit;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.RegistryClient;
import dev.muster.schemas.serde.RegistryConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BadRecordsTest {
    private static final String JOB = nameIn(0, 0);
    private static final String OTHER = nameIn(0, 1);
    private static final String KEY = "ml/" + JOB;
    private static final byte[] NO_AVRO = "not a record".getBytes(UTF_8);

    private final Desk desk = Desk.withAQueue();

    @AfterEach
    void close() {
        desk.close();
    }

    @ParameterizedTest
    @MethodSource
    void badRecordAloneIsParkedAndTheNextGoesThrough(
            String key, Function<Desk, byte[]> value, String error) {
        var bytes = value.apply(desk);
        desk.raw(Topics.JOB_REQUESTS, key, bytes);
        desk.ask(submit("r2", JOB));

        var parked = desk.parked();
        assertThat(parked).hasSize(1);
        assertThat(parked.getFirst().getError()).contains(error);
        assertThat(parked.getFirst().getTopic()).isEqualTo("muster.job-requests");
        assertThat(parked.getFirst().getPartition()).isZero();
        assertThat(parked.getFirst().getOffset()).isZero();
        assertThat(parked.getFirst().getValue())
                .isEqualTo(bytes == null ? null : ByteBuffer.wrap(bytes));
        assertThat(desk.inbox()).hasSize(1);
        assertThat(desk.results()).isEmpty();
    }

    static Stream<Arguments> badRecordAloneIsParkedAndTheNextGoesThrough() {
        return Stream.of(
                bad("no Avro", KEY, _ -> NO_AVRO, "0x6e"),
                bad("empty", KEY, _ -> new byte[0], "0 bytes"),
                bad("no value", KEY, _ -> null, "no value"),
                bad("unknown schema id", KEY, _ -> new byte[] {0, 0, 0, 3, 9, 1}, "777"),
                bad("cut short", KEY, BadRecordsTest::cutShort, "not what its schema says"),
                bad("missing field", KEY, BadRecordsTest::withoutName, "schema"),
                bad("another key", "ml/other", BadRecordsTest::good, "has the key 'ml/other'"),
                bad("no key", null, BadRecordsTest::good, "has the key ''"));
    }

    @Test
    void badStatusIsParkedAndTheNextIsHeard() {
        desk.ask(submit("r1", JOB));
        desk.raw(Topics.JOB_STATUS, KEY + "@0-0", NO_AVRO);
        desk.raw(Topics.JOB_STATUS, "no key of a status", null);
        desk.tell(Requests.status(JOB, "0-0", dev.muster.v1.Phase.FAILED));
        desk.ask(submit("r2", JOB));
        assertThat(desk.parked()).hasSize(2);
        assertThat(desk.inbox()).hasSize(2);
    }

    @Test
    void badQueueRequestIsParkedAndTheNextGoesThrough() {
        desk.raw(Topics.QUEUE_REQUESTS, "gpus", NO_AVRO);
        desk.ask(Requests.putPool("r1", "gpus", 7));
        assertThat(desk.parked()).hasSize(1);
        assertThat(desk.inbox()).hasSize(1);
    }

    @Test
    void queueThatCannotBeReadIsNotThere() {
        desk.raw(Topics.QUEUES, "default", NO_AVRO);
        desk.ask(submit("r1", JOB));
        desk.pass(Duration.ofSeconds(2));
        assertThat(desk.parked()).isEmpty();
        assertThat(desk.results()).hasSize(1);
    }

    @Test
    void manyWhoseSchemaASilentRegistryIsAskedForWaitAndNoneIsParked() {
        try (var desk = new Desk(Duration.ofMillis(300))) {
            desk.registry.fallSilent();
            for (int i = 0; i < 5; i++) {
                desk.raw(Topics.JOB_REQUESTS, "ml/job" + i, new byte[] {0, 0, 0, 3, (byte) i, 1});
            }
            desk.pass(Duration.ofMillis(100));

            assertThat(desk.parked()).isEmpty();
        }
    }

    @Test
    void whileTheRegistryIsSilentARecordWaitsAndIsNeverParked() {
        try (var desk = Desk.withAQueue(Duration.ofSeconds(3))) {
            var request = desk.bytes(Topics.JOB_REQUESTS, submit("r1", JOB));
            desk.registry.fallSilent();
            desk.raw(Topics.JOB_REQUESTS, KEY, request);
            assertThat(desk.inbox()).isEmpty();

            desk.registry.speakAgain();
            for (int i = 0; i < 30; i++) {
                desk.pass(Duration.ofMillis(100));
            }
            assertThat(desk.inbox()).hasSize(1);
            assertThat(desk.parked()).isEmpty();
            assertThat(desk.results()).isEmpty();
        }
    }

    /** However much it is: a registry may be silent for hours. */
    @Test
    void whatWaitsForASilentRegistryIsOnDiskAndComesInOrder() {
        try (var desk = Desk.withAQueue(Duration.ofSeconds(1))) {
            var jobs = IntStream.range(0, 12).mapToObj(i -> "r" + i).toList();
            var requests =
                    jobs.stream()
                            .map(id -> desk.bytes(Topics.JOB_REQUESTS, submit(id, JOB)))
                            .toList();
            var other = desk.bytes(Topics.JOB_REQUESTS, submit("s1", OTHER));
            desk.registry.fallSilent();
            requests.forEach(request -> desk.raw(Topics.JOB_REQUESTS, KEY, request));
            desk.raw(Topics.JOB_REQUESTS, "ml/" + OTHER, other);
            assertThat(desk.waiting().persistent()).isTrue();
            assertThat(rows(desk)).isEqualTo(13);

            desk.registry.speakAgain();
            for (int i = 0; i < 30; i++) {
                desk.pass(Duration.ofMillis(100));
            }
            assertThat(desk.inbox()).hasSize(2);
            assertThat(desk.results())
                    .extracting(result -> result.getEnvelope().getRequestId())
                    .containsExactlyElementsOf(jobs.subList(1, 12));
            assertThat(rows(desk)).isZero();
        }
    }

    private static int rows(Desk desk) {
        int rows = 0;
        try (var waiting = desk.waiting().all()) {
            for (; waiting.hasNext(); rows++) {
                waiting.next();
            }
        }
        return rows;
    }

    private static byte[] good(Desk desk) {
        return desk.bytes(Topics.JOB_REQUESTS, submit("r1", JOB));
    }

    private static byte[] cutShort(Desk desk) {
        var bytes = good(desk);
        return java.util.Arrays.copyOf(bytes, bytes.length - 10);
    }

    /** Of a writer whose schema lacks the fields that have no default. */
    private static byte[] withoutName(Desk desk) {
        var schema =
                SchemaBuilder.record("JobRequest")
                        .namespace("dev.muster.v1")
                        .fields()
                        .requiredString("namespace")
                        .endRecord();
        var record = new GenericData.Record(schema);
        record.put("namespace", "ml");
        try (var registry = new RegistryClient(RegistryConfig.from(desk.registry.config()))) {
            var id = registry.register("muster.job-requests-value", schema);
            var out = new ByteArrayOutputStream();
            out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
            var encoder = EncoderFactory.get().binaryEncoder(out, null);
            new GenericDatumWriter<GenericData.Record>(schema).write(record, encoder);
            encoder.flush();
            return out.toByteArray();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Arguments bad(
            String name, String key, Function<Desk, byte[]> value, String error) {
        return argumentSet(name, key, value, error);
    }
}
