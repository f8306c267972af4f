package dev.muster.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.process.Place;
import dev.muster.sandbox.process.Progress;
import dev.muster.sandbox.process.UntilJvmEnds;
import dev.muster.sandbox.registry.Registry;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.v1.Envelope;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobRequest;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The serde on a real broker and a real registry. */
class SerdeIT {
    private static final Topic<JobRequest> REQUESTS = Topics.JOB_REQUESTS;
    private static final Map<String, String> REGISTRY =
            Map.of("schema.registry.url", TestParts.registryUrl());

    @BeforeAll
    static void createTopics() {
        Broker.createTopics();
    }

    @Test
    void recordGoesThroughTheBrokerToTheSubjectOfItsTopic() {
        var submit = Records.submit("through");
        try (var producer =
                        Broker.<JobRequest>producer(
                                Map.of("value.serializer", AvroSerializer.class));
                var consumer =
                        Broker.<JobRequest>consumer(
                                Map.of(
                                        "value.deserializer", AvroDeserializer.class,
                                        "specific.avro.value.type", JobRequest.class));
                var client = client()) {
            var position = Broker.send(producer, REQUESTS, Records.keyOf(submit), submit);
            var read = Broker.readAt(consumer, position);

            assertThat(read.value()).isEqualTo(submit);
            assertThat(position.partition()).isEqualTo(Partitions.ofName("ml", "through"));
            assertThat(client.find("muster.job-requests-value", JobRequest.SCHEMA$)).isPositive();
        }
    }

    @Test
    void oneSchemaHasOneIdUnderEverySubject() {
        try (var client = client()) {
            var id = client.register("a-value", JobRef.SCHEMA$);

            assertThat(client.register("b-value", JobRef.SCHEMA$)).isEqualTo(id);
            assertThat(client.find("b-value", JobRef.SCHEMA$)).isEqualTo(id);
            try (var other = client()) {
                assertThat(SchemaText.of(other.schema(id)))
                        .isEqualTo(SchemaText.of(JobRef.SCHEMA$));
            }
        }
    }

    @Test
    void schemaThatBreaksReadersIsRefused() {
        var before = versioned().requiredInt("n").endRecord();
        var after = versioned().requiredString("n").endRecord();
        try (var client = client()) {
            assertThat(client.isCompatible("broken-value", before)).isTrue();
            client.register("broken-value", before);

            assertThat(client.isCompatible("broken-value", after)).isFalse();
            assertThatExceptionOfType(SchemaRefusedException.class)
                    .isThrownBy(() -> client.register("broken-value", after))
                    .withMessageContainingAll("incompatible", "broken-value");
        }
    }

    @Test
    void schemaThatMayFollowIsTaken() {
        var before = versioned().requiredInt("n").endRecord();
        var after = versioned().requiredInt("n").optionalString("m").endRecord();
        try (var client = client()) {
            client.register("grown-value", before);

            assertThat(client.isCompatible("grown-value", after)).isTrue();
            assertThat(client.register("grown-value", after))
                    .isNotEqualTo(client.register("grown-value", before));
        }
    }

    @Test
    void schemaThatWasNeverRegisteredIsNotFound() {
        try (var client = client()) {
            assertThatExceptionOfType(SchemaRefusedException.class)
                    .isThrownBy(() -> client.find("nowhere-value", Envelope.SCHEMA$))
                    .withMessageContaining("nowhere-value");

            client.register("somewhere-value", JobRef.SCHEMA$);
            assertThatExceptionOfType(SchemaRefusedException.class)
                    .isThrownBy(() -> client.find("somewhere-value", Envelope.SCHEMA$));
        }
    }

    @Test
    void badRecordsAreToldFromTheBrokersOwnTroubles() {
        var unknownId = ByteBuffer.allocate(7).put((byte) 0).putInt(987_654).array();
        try (var producer =
                        Broker.<byte[]>producer(
                                Map.of(
                                        "value.serializer",
                                        "org.apache.kafka.common.serialization.ByteArraySerializer"));
                var consumer =
                        Broker.<JobRequest>consumer(
                                Map.of("value.deserializer", AvroDeserializer.class))) {
            for (var bytes : new byte[][] {unknownId, {}, {1, 2, 3, 4, 5, 6}}) {
                var position = Broker.send(producer, REQUESTS, "ml/bad", bytes);

                assertThatExceptionOfType(RecordDeserializationException.class)
                        .isThrownBy(() -> Broker.readAt(consumer, position))
                        .withCauseInstanceOf(UnreadableRecordException.class)
                        .matches(e -> e.offset() == position.offset());
            }
        }
    }

    @Test
    void registryThatGoesIsOnlyMissedForWhatIsNew(@TempDir Path folder) {
        var place = new Place(folder, new UntilJvmEnds(), false, Progress.silent());
        var registry = Registry.start(place);
        var config = Map.of("schema.registry.url", registry.url());
        var atOnce = Map.of("schema.registry.url", registry.url(), RegistryConfig.WAIT, "0");
        var submit = Records.submit("down");
        try (var serde = AvroSerde.of(JobRequest.class, config);
                var stranger = AvroSerde.of(JobRequest.class, atOnce)) {
            var before = serde.serializer().serialize(REQUESTS.name(), submit);
            assertThat(serde.deserializer().deserialize(REQUESTS.name(), before)).isEqualTo(submit);

            registry.process().kill();
            assertThat(serde.serializer().serialize(REQUESTS.name(), submit)).isEqualTo(before);
            assertThat(serde.deserializer().deserialize(REQUESTS.name(), before)).isEqualTo(submit);
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> stranger.deserializer().deserialize(REQUESTS.name(), before));
            assertThatExceptionOfType(RegistryUnavailableException.class)
                    .isThrownBy(() -> stranger.serializer().serialize("new", submit));
        }
    }

    private static SchemaBuilder.FieldAssembler<Schema> versioned() {
        return SchemaBuilder.record("dev.muster.test.Versioned").fields();
    }

    private static RegistryClient client() {
        return new RegistryClient(RegistryConfig.from(REGISTRY));
    }
}
