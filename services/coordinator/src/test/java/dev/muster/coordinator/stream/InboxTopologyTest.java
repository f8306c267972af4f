package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.stream.PoolHost.Shared;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.streams.PacedClients;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.JobPlan;
import dev.muster.v1.PlanKind;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wiring: what the hosted pool publishes arrives on the topics, its rows in the stores. */
class InboxTopologyTest {
    @TempDir Path state;

    private final Stage stage = new Stage();
    private TopologyTestDriver driver;
    private TestInputTopic<String, byte[]> inbox;

    @BeforeEach
    void start() {
        var shared =
                new Shared(
                        stage.wire,
                        stage.time,
                        new Counters(new SimpleMeterRegistry()),
                        Duration.ofSeconds(1),
                        "");
        driver =
                new TopologyTestDriver(
                        InboxTopology.of(shared, new PacedClients()), properties(), Stage.NOON);
        inbox =
                driver.createInputTopic(
                        Topics.INBOX.name(), new StringSerializer(), new ByteArraySerializer());
    }

    private Properties properties() {
        var config =
                new CoordinatorConfig(
                        "test",
                        state,
                        1,
                        0,
                        "",
                        Duration.ofMillis(10),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(2));
        return ClientProperties.streams(
                Map.of(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1"), config);
    }

    @AfterEach
    void close() {
        driver.close();
        stage.close();
    }

    @Test
    void submittedJobReachesEveryTopicThatTellsOfIt() {
        cluster();

        send(submitted(job("resnet", 7), workers(2)));

        assertThat(read(Topics.JOB_PLANS))
                .extracting(JobPlan::getKind)
                .containsExactly(PlanKind.RUN);
        assertThat(read(Topics.JOB_STATUS)).isNotEmpty();
        assertThat(read(Topics.JOB_EVENTS)).isNotEmpty();
        assertThat(read(Topics.DECISIONS)).isNotEmpty();
        assertThat(read(Topics.REQUEST_RESULTS)).hasSize(1);
        assertThat(read(Topics.POOLS)).isNotEmpty();
        assertThat(read(Topics.QUEUES)).isNotEmpty();
        assertThat(read(Topics.PARKED)).isEmpty();
    }

    @Test
    void badRecordGoesToTheParkedUnderItsOwnKey() {
        inbox.pipeInput("who", new byte[] {1, 2, 3});

        var parked =
                driver.createOutputTopic(
                        Topics.PARKED.name(), new StringDeserializer(), reader(Topics.PARKED));
        assertThat(parked.readKeyValue().key).isEqualTo("who");
        assertThat(read(Topics.DECISIONS)).hasSize(1);
    }

    @Test
    void rowsAndSubmissionsAreInTheStores() {
        cluster();

        send(submitted(job("resnet", 7), workers(2)));

        assertThat(driver.<String, byte[]>getKeyValueStore(Rows.STORE).get("Gml/resnet@3-7"))
                .isNotNull();
        assertThat(driver.<String, byte[]>getKeyValueStore(Specs.STORE).get("ml/resnet@3-7"))
                .isNotNull();
    }

    /** Rows are in memory, submissions on disk: so a stopped pool takes no memory of the others. */
    @Test
    void whatAStoppedPoolHoldsIsInTheStoreOnDisk() {
        cluster();

        send(InboxRecords.event(InboxKind.UNKNOWN).build());
        send(submitted(job("resnet", 7), workers(2)));

        var specs = driver.<String, byte[]>getKeyValueStore(Specs.STORE);
        assertThat(specs.persistent()).isTrue();
        assertThat(held(specs))
                .containsExactly("~held/%019d".formatted(5), "~held/%019d".formatted(6));
        assertThat(held(driver.getKeyValueStore(Rows.STORE))).isEmpty();
    }

    private static List<String> held(KeyValueStore<String, byte[]> store) {
        var keys = new ArrayList<String>();
        try (var held = store.range("~held/", "~held/~")) {
            held.forEachRemaining(entry -> keys.add(entry.key));
        }
        return keys;
    }

    private void cluster() {
        send(InboxRecords.poolPut());
        send(InboxRecords.queuePut());
        send(InboxRecords.snapshotBegin());
        send(InboxRecords.node("n1", 4));
        send(InboxRecords.snapshotEnd());
    }

    private void send(InboxEvent event) {
        inbox.pipeInput(event.getPool(), stage.bytes(event));
    }

    private <T extends SpecificRecord> List<T> read(Topic<T> topic) {
        return driver.createOutputTopic(topic.name(), new StringDeserializer(), reader(topic))
                .readValuesToList();
    }

    private <T extends SpecificRecord> AvroDeserializer<T> reader(Topic<T> topic) {
        var reader = new AvroDeserializer<>(topic.value());
        reader.configure(stage.registryConfig(), false);
        return reader;
    }
}
