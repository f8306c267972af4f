package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.RunningAdmission;
import dev.muster.sandbox.TestParts;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.JobChange;
import dev.muster.v1.JobChangeKind;
import dev.muster.v1.JobRequest;
import dev.muster.v1.Outcome;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.RequestResult;
import dev.muster.v1.TrainJobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What comes by Kafka, from whoever writes there. */
class RecordsIT {
    private static final RunningAdmission ADMISSION = RunningAdmission.get();
    private static final Map<String, Object> CLIENT =
            Map.of(
                    "bootstrap.servers",
                    TestParts.bootstrapServers(),
                    "schema.registry.url",
                    TestParts.registryUrl(),
                    "isolation.level",
                    "read_committed",
                    "max.request.size",
                    16 << 20);

    private static KafkaProducer<String, byte[]> producer;
    private static final AvroSerializer<SpecificRecord> WRITER = new AvroSerializer<>();
    private static final JobChange HOLD = Requests.change(JobChangeKind.HOLD);

    @BeforeAll
    static void makeAPoolAndAQueue() {
        WRITER.configure(CLIENT, false);
        producer = new KafkaProducer<>(CLIENT, new StringSerializer(), new ByteArraySerializer());
        ask(Requests.putPool("pool", "records", null));
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> {
                    var requestId = UUID.randomUUID().toString();
                    ask(Requests.putQueue(requestId, "records", "records"));
                    assertThat(answer(requestId).getOutcome()).isEqualTo(Outcome.DONE);
                });
    }

    @AfterAll
    static void close() {
        producer.close();
        WRITER.close();
    }

    @Test
    void bytesThatAreNoAvroAreParkedAlone() {
        send("ml/no-avro", null, "not avro".getBytes(UTF_8));
        ask(submit("no-avro-good", "no-avro"));
        assertThat(answer("no-avro-good").getOutcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(parked("ml/no-avro")).contains("no record of a schema registry");
    }

    @Test
    void unknownSchemaIdIsParkedAlone() {
        send("ml/no-schema", null, new byte[] {0, 0x7f, 0x7f, 0x7f, 0x7f, 1, 2, 3});
        ask(submit("no-schema-good", "no-schema"));
        assertThat(answer("no-schema-good").getOutcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(parked("ml/no-schema")).contains("no schema with id");
    }

    @Test
    void recordThatIsCutShortIsParkedAlone() {
        var bytes = written(Topics.JOB_REQUESTS, submit("cut", "cut"));
        send("ml/cut", null, java.util.Arrays.copyOf(bytes, 20));
        ask(submit("cut-good", "cut"));
        assertThat(answer("cut-good").getOutcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(parked("ml/cut")).contains("not what its schema says");
    }

    @Test
    void recordWithAnotherKeyIsParkedAlone() {
        send("ml/other-key", null, written(Topics.JOB_REQUESTS, submit("key", "right-key")));
        ask(submit("key-good", "right-key"));
        assertThat(answer("key-good").getOutcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(parked("ml/other-key")).contains("speaks of ml/right-key");
    }

    @Test
    void recordInTheWrongPartitionIsDecidedInTheRightOne() {
        var right = Partitions.ofName("ml", "misplaced");
        var bytes = written(Topics.JOB_REQUESTS, submit("misplaced", "misplaced"));
        send("ml/misplaced", (right + 1) % Topics.NAME_PARTITIONS, bytes);
        var answer = answer("misplaced");
        assertThat(answer.getOutcome()).isEqualTo(Outcome.ACCEPTED);
        assertThat(answer.getJob().getUid()).startsWith(right + "-");
    }

    @Test
    void forwardedRecordStandsInThePoolsOwnPartition() {
        ask(submit("placed", "placed"));
        answer("placed");
        var events = read(Topics.INBOX, record -> true);
        var pools = read(Topics.POOLS, record -> record.key().equals("records"));
        var number = pools.getLast().value().getNumber();
        assertThat(events)
                .filteredOn(record -> record.key().equals("records"))
                .isNotEmpty()
                .allSatisfy(record -> assertThat(record.partition()).isEqualTo(number));
    }

    @Test
    void requestAboveTheLimitIsRefusedWhereverItLies() {
        var role = Requests.spec().getRoles().getFirst();
        role.setTemplate(role.getTemplate().replace("python:3.12", "x".repeat(300_000)));
        var spec = TrainJobSpec.newBuilder(Requests.spec()).setRoles(List.of(role)).build();
        var bytes = written(Topics.JOB_REQUESTS, Requests.submit("large", "large", spec));
        for (int partition = 0; partition < 2; partition++) {
            send("ml/large", partition, bytes);
        }
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() ->
                        assertThat(results("large"))
                                .extracting(RequestResult::getOutcome)
                                .containsExactly(Outcome.REFUSED, Outcome.REFUSED));
        ask(submit("large-good", "large"));
        assertThat(answer("large-good").getOutcome()).isEqualTo(Outcome.ACCEPTED);
    }

    @Test
    void commandsWithLongIdsAreInNobodysWay() {
        ask(submit("before-long-ids", "long-ids"));
        answer("before-long-ids");
        for (int i = 0; i < 32; i++) {
            ask(Requests.change(i + "i".repeat(250_000), "long-ids", HOLD));
        }
        ask(submit("after-long-ids", "long-ids"));
        assertThat(answer("after-long-ids").getOutcome()).isEqualTo(Outcome.DUPLICATE);
        ask(Requests.change("short-id", "long-ids", HOLD));
        assertThat(answer("short-id").getOutcome()).isNotEqualTo(Outcome.REFUSED);
    }

    @Test
    void queueNearTheLimitOfItsTopicIsInNobodysWay() {
        var large = Requests.putQueue("large-queue", "records", "records");
        large.setFields(List.of("f".repeat((4 << 20) - 2_000)));
        ask(large);
        ask(Requests.putQueue("after-large", "records", "records"));
        assertThat(answer("after-large").getOutcome()).isEqualTo(Outcome.DONE);
        assertThat(answer("large-queue").getOutcome()).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void whatTheTopicDoesNotTakeIsTheProducersOwnError() {
        var record =
                new ProducerRecord<String, byte[]>(
                        Topics.JOB_REQUESTS.name(), "ml/huge", new byte[5 << 20]);
        assertThatThrownBy(() -> producer.send(record).get())
                .hasCauseInstanceOf(RecordTooLargeException.class);
    }

    @Test
    void directoryOutlivesARestart() {
        ask(submit("before", "remembered"));
        var uid = answer("before").getJob().getUid();
        ADMISSION.restart();
        ask(submit("after", "remembered"));
        var answer = answer("after");
        assertThat(answer.getOutcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(answer.getJob().getUid()).isEqualTo(uid);
    }

    private static JobRequest submit(String requestId, String name) {
        var spec = TrainJobSpec.newBuilder(Requests.spec()).setQueue("records").build();
        return Requests.submit(requestId, name, spec);
    }

    private static void ask(JobRequest request) {
        send(
                JobKeys.of(request.getNamespace(), request.getName()),
                null,
                written(Topics.JOB_REQUESTS, request));
    }

    private static void ask(QueueRequest request) {
        producer.send(
                new ProducerRecord<>(
                        Topics.QUEUE_REQUESTS.name(),
                        request.getName(),
                        written(Topics.QUEUE_REQUESTS, request)));
    }

    private static byte[] written(Topic<?> topic, SpecificRecord record) {
        return WRITER.serialize(topic.name(), record);
    }

    private static void send(String key, @Nullable Integer partition, byte[] value) {
        try {
            producer.send(new ProducerRecord<>(Topics.JOB_REQUESTS.name(), partition, key, value))
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RequestResult answer(String requestId) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(results(requestId)).hasSize(1));
        return results(requestId).getFirst();
    }

    private static List<RequestResult> results(String requestId) {
        return read(
                        Topics.REQUEST_RESULTS,
                        record -> requestId.equals(record.value().getEnvelope().getRequestId()))
                .stream()
                .map(ConsumerRecord::value)
                .toList();
    }

    private static String parked(String key) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(read(Topics.PARKED, r -> r.key().equals(key))).hasSize(1));
        return read(Topics.PARKED, r -> r.key().equals(key)).getFirst().value().getError();
    }

    /** All of a topic, from its beginning to its end of now. */
    private static <T extends SpecificRecord> List<ConsumerRecord<String, T>> read(
            Topic<T> topic, Predicate<ConsumerRecord<String, T>> wanted) {
        var reader = new AvroDeserializer<>(topic.value());
        reader.configure(CLIENT, false);
        try (var consumer = new KafkaConsumer<>(CLIENT, new StringDeserializer(), reader)) {
            var partitions =
                    consumer.partitionsFor(topic.name()).stream()
                            .map(info -> new TopicPartition(info.topic(), info.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            var found = new ArrayList<ConsumerRecord<String, T>>();
            while (ends.entrySet().stream()
                    .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
            }
            return found.stream().filter(wanted).toList();
        }
    }
}
