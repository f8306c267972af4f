package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.history.snapshots.Snapshot;
import dev.muster.coordinator.history.snapshots.SnapshotWriter;
import dev.muster.coordinator.snapshotter.SnapshotOutcome;
import dev.muster.coordinator.snapshotter.SnapshotOutcome.Written;
import dev.muster.coordinator.snapshotter.Snapshotter;
import dev.muster.coordinator.stream.Outside.Inbox;
import dev.muster.coordinator.stream.rows.RowKeys;
import dev.muster.schemas.Topic;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.Envelope;
import dev.muster.v1.PoolSpec;
import dev.muster.v1.PoolState;
import dev.muster.v1.SnapshotComplete;
import dev.muster.v1.SnapshotKind;
import dev.muster.v1.SnapshotRecord;
import dev.muster.v1.SnapshotRow;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the snapshotter makes of inboxes that a coordinator has taken in, on a real broker. */
class SnapshotterIT {
    private static final String OLD = "1-test";
    private static final String OURS = "2-test";
    private static final String CLOCK = RowKeys.of(new Row.Key(Row.Table.CLOCK, ""));

    private static Outside outside;

    @BeforeAll
    static void start() {
        outside = new Outside();
    }

    @AfterAll
    static void stop() {
        outside.close();
    }

    @Test
    void aPoolWithADamagedSnapshotKeepsNoOtherFromItsOwn() throws Exception {
        var damaged = played(40);
        var fine = played(41);
        var first = run(OURS, 40, 41);
        assertThat(first.values()).allMatch(Written.class::isInstance);
        damaged.send(InboxRecords.node("late", 4));
        fine.send(InboxRecords.node("late", 4));
        damage(damaged.name(), 40, ((Written) first.get("pool-40")).offset() + 1);

        var second = run(OURS, 40, 41);

        assertThat(second.get("pool-40")).isInstanceOf(Written.class);
        assertThat(((Written) second.get("pool-41")).offset())
                .isEqualTo(((Written) first.get("pool-41")).offset() + 1);
        assertThat(((Written) second.get("pool-40")).offset())
                .isEqualTo(((Written) first.get("pool-40")).offset() + 1);
        assertThat(SnapshotOutcome.exitCode(second.values())).isZero();
    }

    @Test
    void aPoolWhoseSnapshotCannotBeUsedAtAllKeepsNoOtherFromItsOwn() throws Exception {
        var useless = played(42);
        played(43);
        var rows = new TreeMap<>(Map.of(CLOCK, "rubbish".getBytes(UTF_8)));
        try (var writer = new SnapshotWriter(Outside.KAFKA)) {
            writer.write(
                    42,
                    new Snapshot(useless.name(), 0, Instant.now(), OURS, rows, new TreeMap<>()),
                    () -> true);
        }

        var outcomes = run(OURS, 42, 43);

        assertThat(outcomes.get("pool-42")).isInstanceOf(SnapshotOutcome.Failed.class);
        assertThat(outcomes.get("pool-43")).isInstanceOf(Written.class);
        assertThat(SnapshotOutcome.exitCode(outcomes.values())).isEqualTo(1);
    }

    /** The old version decides, then ours; returns the offset of the record that says so. */
    private static long upgraded(int number) throws Exception {
        var pool = played(number);
        pool.send(InboxRecords.coreVersion(OLD));
        pool.send(InboxRecords.node("old", 1));
        long change = outside.inbox(number).size();
        pool.send(InboxRecords.coreVersion(OURS));
        pool.send(InboxRecords.node("new", 1));
        return change;
    }

    @Test
    void whatTheOldVersionDecidedIsForItsOwnSnapshotterAndOursGoesOnFromThere() throws Exception {
        long change = upgraded(44);

        var tooEarly = run(OURS, 44);
        assertThat(tooEarly.get("pool-44"))
                .isEqualTo(new SnapshotOutcome.OtherVersion(OLD, change - 2, null));
        assertThat(SnapshotOutcome.exitCode(tooEarly.values()))
                .isEqualTo(SnapshotOutcome.OTHER_VERSION);

        var last = run(OLD, 44).get("pool-44");
        assertThat(last)
                .isInstanceOfSatisfying(
                        SnapshotOutcome.OtherVersion.class,
                        stopped -> {
                            assertThat(stopped.version()).isEqualTo(OURS);
                            assertThat(stopped.from()).isEqualTo(change);
                            assertThat(stopped.until()).isNotNull();
                            assertThat(stopped.until().offset()).isEqualTo(change - 1);
                        });

        var ours = run(OURS, 44);
        assertThat(ours.get("pool-44"))
                .isInstanceOfSatisfying(
                        Written.class,
                        written -> assertThat(written.offset()).isEqualTo(change + 1));
        assertThat(SnapshotOutcome.exitCode(ours.values())).isZero();

        assertThat(run(OLD, 44).get("pool-44"))
                .isEqualTo(new SnapshotOutcome.OtherVersion(OURS, change + 2, null));
    }

    @Test
    void whereTheOldVersionIsGoneItsDecisionsMayBeTakenForOurs() throws Exception {
        long change = upgraded(45);

        assertThat(run(OURS, true, 45).get("pool-45"))
                .isInstanceOfSatisfying(
                        Written.class,
                        written -> assertThat(written.offset()).isEqualTo(change + 1));
    }

    @Test
    void rowsThatAreAlikeTakeLittleRoom() throws Exception {
        var specs = new TreeMap<String, byte[]>();
        for (int i = 0; i < 1_000; i++) {
            specs.put("ml/job-" + i, "image: python:3.12, cpu: 4, ".repeat(70).getBytes(UTF_8));
        }
        try (var writer = new SnapshotWriter(Outside.KAFKA);
                var admin = Admin.create(Outside.KAFKA)) {
            var pool = new Snapshot("pool-46", 0, Instant.now(), OURS, new TreeMap<>(), specs);
            writer.write(46, pool, () -> true);
            var there = new TopicPartition(Topics.SNAPSHOTS.name(), 46 % 16);
            var broker = admin.describeCluster().nodes().get().iterator().next().id();
            var folders =
                    admin.describeLogDirs(List.of(broker)).allDescriptions().get().get(broker);
            assertThat(folders.values())
                    .extracting(folder -> folder.replicaInfos().get(there))
                    .singleElement()
                    .satisfies(log -> assertThat(log.size()).isBetween(1_000L, 400_000L));
        }
    }

    private static Inbox played(int number) throws Exception {
        var pool = outside.pool(number).withNodes(2, 1);
        pool.send(submitted(job("s-first", 1), workers(1)));
        pool.send(submitted(job("s-second", 2), workers(2)));
        var state =
                PoolState.newBuilder()
                        .setEnvelope(InboxRecords.envelope(number + "-1/1"))
                        .setName(pool.name())
                        .setNumber(number)
                        .setSpec(PoolSpec.newBuilder().build())
                        .build();
        publish(Topics.POOLS, 0, pool.name(), state);
        return pool;
    }

    /** As if a coordinator had taken in all that these pools were told. */
    private static SortedMap<String, SnapshotOutcome> run(String version, Integer... numbers)
            throws Exception {
        return run(version, false, numbers);
    }

    private static SortedMap<String, SnapshotOutcome> run(
            String version, boolean anyVersion, Integer... numbers) throws Exception {
        var group = "snapshotter-it-" + numbers[0];
        var offsets = new LinkedHashMap<TopicPartition, OffsetAndMetadata>();
        for (int number : numbers) {
            offsets.put(
                    new TopicPartition(Topics.INBOX.name(), number),
                    new OffsetAndMetadata(outside.inbox(number).size()));
        }
        try (var admin = Admin.create(Outside.KAFKA)) {
            admin.alterConsumerGroupOffsets(group, offsets).all().get();
        }
        return new Snapshotter(Outside.KAFKA, group, version, anyVersion).run();
    }

    /** A snapshot of one row whose digest is another's. */
    private static void damage(String pool, int number, long offset) throws Exception {
        var key = ByteBuffer.wrap(CLOCK.getBytes(UTF_8));
        var row = new SnapshotRow("rows", key, ByteBuffer.wrap("rubbish".getBytes(UTF_8)));
        var first = record(pool, offset).setKind(SnapshotKind.ROW).setRow(row).build();
        var last =
                record(pool, offset)
                        .setKind(SnapshotKind.COMPLETE)
                        .setComplete(new SnapshotComplete(1L, "of another", OURS, offset))
                        .build();
        int partition = number % Topics.SNAPSHOTS.partitions();
        publish(Topics.SNAPSHOTS, partition, "%s/%d/row".formatted(pool, offset), first);
        publish(Topics.SNAPSHOTS, partition, "%s/%d/complete".formatted(pool, offset), last);
    }

    private static SnapshotRecord.Builder record(String pool, long offset) {
        return SnapshotRecord.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder()
                                .setId(pool + "/" + offset)
                                .setAt(Instant.now())
                                .setActor("test")
                                .build())
                .setPool(pool)
                .setNumber(offset);
    }

    private static <T extends SpecificRecord> void publish(
            Topic<T> topic, int partition, String key, T value) throws Exception {
        try (var producer =
                        new KafkaProducer<>(
                                Outside.KAFKA,
                                new ByteArraySerializer(),
                                new ByteArraySerializer());
                var serializer = new AvroSerializer<T>()) {
            serializer.configure(Outside.KAFKA, false);
            producer.send(
                            new ProducerRecord<>(
                                    topic.name(),
                                    partition,
                                    key.getBytes(UTF_8),
                                    serializer.serialize(topic.name(), value)))
                    .get();
        }
    }
}
