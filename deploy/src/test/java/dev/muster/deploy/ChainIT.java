package dev.muster.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.kafka.JobStatuses;
import dev.muster.cli.kafka.Requests;
import dev.muster.sandbox.process.PartFailedException;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.PythonClient;
import dev.muster.v1.Outcome;
import dev.muster.v1.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a request to the job's end through all services, with what users may put in. */
class ChainIT {
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private static final String POD_THAT_PRINTS =
            """
            containers:
            - name: main
              image: python:3.12
              command: [echo, hello]
            """;

    @Test
    void jobOfThePythonClientRunsAndItReadsTheStatus() {
        var python = python();
        var namespace = TheSystem.namespace("python");

        var sent = python.run(arguments("submit", namespace, "--command", "echo", "hello"));
        var read = python.run(arguments("status", namespace, "--phase", "SUCCEEDED"));

        // Admission sends on what librdkafka's partitioner put elsewhere: the uid may be another.
        assertThat(sent.path("offset").isNumber()).isTrue();
        assertThat(read.path("phase").asString()).isEqualTo("SUCCEEDED");
        assertThat(read.path("job").path("name").asString()).isEqualTo("from-python");
        assertThat(read.path("roles").path(0).path("succeeded").asInt()).isEqualTo(1);
        assertThat(PodLives.byRank(TheSystem.audit(), namespace))
                .containsOnlyKeys("from-python/worker/0");
    }

    @Test
    void badBytesAreParkedWholeAndTheNextRequestOfTheNameRuns() throws Exception {
        var namespace = TheSystem.namespace("bytes");
        var noAvro = "{\"kind\": \"SUBMIT\"}".getBytes(UTF_8);
        var unknownSchema = new byte[] {0, 0x7f, 0, 0, 1, 2, 3};

        var first = produce(namespace, "behind", noAvro);
        var second = produce(namespace, "behind", unknownSchema);
        try (var requests = Requests.open(TheSystem.context(), "chain test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            var _ = requests.submit(Jobs.ofOnePod(namespace, "behind", POD_THAT_PRINTS));
            assertThat(Jobs.end(statuses, namespace, "behind").getPhase())
                    .isEqualTo(Phase.SUCCEEDED);
        }

        var parked =
                Records.of(TheSystem.context(), Topics.PARKED).stream()
                        .filter(record -> record.key().equals(JobKeys.of(namespace, "behind")))
                        .map(record -> record.value())
                        .toList();
        assertThat(parked)
                .allMatch(record -> record.getTopic().equals(Topics.JOB_REQUESTS.name()))
                .allMatch(record -> record.getPartition() == first.partition())
                .allMatch(record -> record.getHeaders().getFirst().getKey().equals("from"));
        assertThat(parked)
                .extracting(record -> record.getOffset())
                .containsExactly(first.offset(), second.offset());
        assertThat(parked)
                .extracting(record -> record.getValue().array())
                .containsExactly(noAvro, unknownSchema);
        assertThat(parked)
                .extracting(record -> record.getError())
                .containsExactly(
                        "begins with byte 0x7b, not with 0x00: no record of a schema registry",
                        "the registry knows no schema with id 2130706433");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    '  volumeMounts: [{name: nothing, mountPath: /data}]' | spec.containers[0].volumeMounts[0].name: Not found: "nothing"
                    '  volumeMount: [{name: nothing}]'                    | unknown field "spec.containers[0].volumeMount"
                    """)
    void templateThatTheApiServerRefusesEndsTheJobWithItsWords(String line, String words) {
        var namespace = TheSystem.namespace("refused");
        var pod = POD_THAT_PRINTS + line;
        try (var requests = Requests.open(TheSystem.context(), "chain test");
                var statuses = JobStatuses.open(TheSystem.context())) {
            var id = requests.submit(Jobs.ofOnePod(namespace, "mounts", pod));
            assertThat(requests.answer(id, ANSWER).getOutcome()).isEqualTo(Outcome.ACCEPTED);

            var end = Jobs.end(statuses, namespace, "mounts");
            assertThat(end.getPhase()).isEqualTo(Phase.FAILED);
            assertThat(end.getMessage()).contains(words);
        }
        assertThat(PodLives.byRank(TheSystem.audit(), namespace)).isEmpty();
    }

    private static PythonClient python() {
        try {
            return new PythonClient(TheSystem.REPOSITORY.resolve("schemas/src/test/python"));
        } catch (PartFailedException e) {
            return Assumptions.abort("not tried with Confluent's Python client: " + e.getMessage());
        }
    }

    private static String[] arguments(String action, String namespace, String... more) {
        var arguments = new ArrayList<String>();
        arguments.add(action);
        arguments.addAll(List.of("--bootstrap", TheSystem.context().bootstrapServers()));
        arguments.addAll(List.of("--registry", TheSystem.context().registry()));
        arguments.addAll(List.of("--namespace", namespace, "--name", "from-python"));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    /** Where the request of this name belongs, with a header. */
    private static RecordMetadata produce(String namespace, String name, byte[] value)
            throws Exception {
        Map<String, Object> broker =
                Map.of("bootstrap.servers", TheSystem.context().bootstrapServers());
        try (var producer =
                new KafkaProducer<>(broker, new StringSerializer(), new ByteArraySerializer())) {
            return producer.send(
                            new ProducerRecord<>(
                                    Topics.JOB_REQUESTS.name(),
                                    Partitions.ofName(namespace, name),
                                    JobKeys.of(namespace, name),
                                    value,
                                    List.of(new RecordHeader("from", "a test".getBytes(UTF_8)))))
                    .get();
        }
    }
}
