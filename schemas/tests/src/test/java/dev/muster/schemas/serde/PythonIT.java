package dev.muster.schemas.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.sandbox.TestParts;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.v1.JobRef;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobRequestKind;
import dev.muster.v1.JobStatus;
import dev.muster.v1.TrainJobSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The contract, as a user of Confluent's official Python client has it. */
class PythonIT {
    private static PythonClient python;

    @BeforeAll
    static void findPython() {
        try {
            python = new PythonClient(Path.of("..", "src", "test", "python"));
        } catch (PartFailedException e) {
            Assumptions.abort(
                    "not cross-checked with Confluent's Python client: " + e.getMessage());
        }
        Broker.createTopics();
    }

    @Test
    void requestThatPythonMakesIsReadWithItsDefaults() {
        var sent = run("submit", "from-python", "--command", "python3", "train.py");
        try (var consumer =
                Broker.<JobRequest>consumer(Map.of("value.deserializer", AvroDeserializer.class))) {
            var read =
                    Broker.readAt(
                            consumer,
                            position(sent.path("partition").asInt(), sent.path("offset").asLong()));
            var request = read.value();

            assertThat(read.key()).isEqualTo("ml/from-python");
            assertThat(request.getKind()).isEqualTo(JobRequestKind.SUBMIT);
            assertThat(request.getEnvelope().getRequestId())
                    .isEqualTo(sent.path("requestId").asString());
            var role = request.getSubmit().getRoles().getFirst();
            assertThat(role.getTemplate()).contains("\"python3\", \"train.py\"");
            assertThat(request.getSubmit())
                    .isEqualTo(
                            TrainJobSpec.newBuilder()
                                    .setRoles(request.getSubmit().getRoles())
                                    .build());
        }
    }

    /** Why admission has to look where a request stands. */
    @Test
    void pythonPutsANameWhereJavaWouldNot() {
        var name = "elsewhere";
        var sent = run("submit", name);

        assertThat(sent.path("partition").asInt())
                .isEqualTo(librdkafkas(JobKeys.of("ml", name)))
                .isNotEqualTo(Partitions.ofName("ml", name));
    }

    @Test
    void statusThatWeWriteIsReadByPython() {
        var job = new JobRef("ml", "to-python", "3-4711");
        try (var producer =
                Broker.<JobStatus>producer(Map.of("value.serializer", AvroSerializer.class))) {
            Broker.send(producer, Topics.JOB_STATUS, JobKeys.of(job), Records.queued(job));
        }
        var read = run("status", "to-python", "--phase", "QUEUED");

        assertThat(read.path("job").path("uid").asString()).isEqualTo("3-4711");
        assertThat(read.path("waiting").path("code").asString()).isEqualTo("InsufficientCapacity");
        assertThat(read.path("waiting").path("need").asLong()).isEqualTo(8000);
        assertThat(read.path("roles").path(0).path("desired").asInt()).isEqualTo(2);
        assertThat(read.path("times").path("submitted").asString())
                .isEqualTo("2026-01-01 12:00:00.123456+00:00");
    }

    private static JsonNode run(String action, String name, String... more) {
        var arguments = new ArrayList<String>();
        arguments.add(action);
        arguments.addAll(List.of("--bootstrap", TestParts.bootstrapServers()));
        arguments.addAll(List.of("--registry", TestParts.registryUrl()));
        arguments.addAll(List.of("--namespace", "ml", "--name", name));
        arguments.addAll(List.of(more));
        return python.run(arguments.toArray(String[]::new));
    }

    private static RecordMetadata position(int partition, long offset) {
        var at = new TopicPartition(Topics.JOB_REQUESTS.name(), partition);
        return new RecordMetadata(at, offset, 0, 0, 0, 0);
    }

    private static int librdkafkas(String key) {
        var crc = new CRC32();
        crc.update(key.getBytes(UTF_8));
        return (int) (crc.getValue() % Topics.NAME_PARTITIONS);
    }
}
