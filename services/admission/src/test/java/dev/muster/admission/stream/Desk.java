package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.admission.core.Entry;
import dev.muster.schemas.JobKeys;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.schemas.serde.FakeRegistry;
import dev.muster.streams.PacedClients;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.JobRequest;
import dev.muster.v1.JobStatus;
import dev.muster.v1.Parked;
import dev.muster.v1.QueueRequest;
import dev.muster.v1.RequestResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** The topology on a driver, whose every record comes from partition 0. */
final class Desk implements AutoCloseable {
    /** Nobody may have jobs in this namespace. */
    static final String CLOSED = "kube-system";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final FakeRegistry registry = new FakeRegistry();

    private final AvroSerializer<SpecificRecord> writer = new AvroSerializer<>();
    private final Map<String, TestInputTopic<byte[], byte[]>> in = new HashMap<>();
    private final Codec codec;
    private final TopologyTestDriver driver;

    Desk() {
        // The clock of this driver stands still: who does not wait here is never asked again.
        this(PATIENCE);
    }

    /**
     * @param patience how long the registry may take to answer
     */
    Desk(Duration patience) {
        writer.configure(registry.config(), false);
        codec = new Codec(registry.config(), patience);
        driver =
                new TopologyTestDriver(
                        AdmissionTopology.build(
                                codec,
                                this::directory,
                                Duration.ofSeconds(2),
                                Set.of(CLOSED),
                                new PacedClients()),
                        properties(),
                        Requests.NOON);
    }

    /** With queue {@code default} of pool {@code gpus}, number 7. */
    static Desk withAQueue() {
        return withAQueue(PATIENCE);
    }

    static Desk withAQueue(Duration patience) {
        var desk = new Desk(patience);
        desk.show(Topics.POOLS, "gpus", Requests.pool("gpus", 7));
        desk.show(Topics.QUEUES, "default", Requests.queue("default", "gpus"));
        return desk;
    }

    private static Properties properties() {
        var properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test-" + UUID.randomUUID());
        properties.put(
                StreamsConfig.STATE_DIR_CONFIG, Path.of("target", "topology-tests").toString());
        return properties;
    }

    private @Nullable Entry directory(String namespace, String name) {
        KeyValueStore<String, byte[]> directory =
                driver.getKeyValueStore(AdmissionTopology.DIRECTORY);
        return Rows.entry(directory.get(JobKeys.of(namespace, name)));
    }

    void ask(JobRequest request) {
        var key = JobKeys.of(request.getNamespace(), request.getName());
        raw(Topics.JOB_REQUESTS, key, bytes(Topics.JOB_REQUESTS, request));
    }

    void ask(QueueRequest request) {
        var bytes = bytes(Topics.QUEUE_REQUESTS, request);
        raw(Topics.QUEUE_REQUESTS, request.getName(), bytes);
    }

    void tell(JobStatus status) {
        raw(Topics.JOB_STATUS, JobKeys.of(status.getJob()), bytes(Topics.JOB_STATUS, status));
    }

    <T extends SpecificRecord> void show(Topic<T> topic, String key, T state) {
        raw(topic, key, bytes(topic, state));
    }

    void raw(Topic<?> topic, @Nullable String key, byte @Nullable [] value) {
        raw(topic, key, value, new RecordHeaders());
    }

    void raw(Topic<?> topic, @Nullable String key, byte @Nullable [] value, RecordHeaders headers) {
        in.computeIfAbsent(
                        topic.name(),
                        name ->
                                driver.createInputTopic(
                                        name, new ByteArraySerializer(), new ByteArraySerializer()))
                .pipeInput(
                        new TestRecord<>(key == null ? null : key.getBytes(UTF_8), value, headers));
    }

    byte[] bytes(Topic<?> topic, SpecificRecord record) {
        return writer.serialize(topic.name(), record);
    }

    void pass(Duration time) {
        driver.advanceWallClockTime(time);
    }

    List<InboxEvent> inbox() {
        return read(Topics.INBOX);
    }

    List<RequestResult> results() {
        return read(Topics.REQUEST_RESULTS);
    }

    List<Parked> parked() {
        return read(Topics.PARKED);
    }

    /** What waits of jobs and their news. */
    KeyValueStore<String, byte[]> waiting() {
        return driver.getKeyValueStore("aside");
    }

    int sentOn(Topic<?> topic) {
        return driver.createOutputTopic(
                        topic.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readValuesToList()
                .size();
    }

    private <T extends SpecificRecord> List<T> read(Topic<T> topic) {
        var reader = new AvroDeserializer<>(topic.value());
        reader.configure(registry.config(), false);
        return driver.createOutputTopic(topic.name(), new StringDeserializer(), reader)
                .readValuesToList();
    }

    @Override
    public void close() {
        driver.close();
        codec.close();
        registry.close();
    }
}
