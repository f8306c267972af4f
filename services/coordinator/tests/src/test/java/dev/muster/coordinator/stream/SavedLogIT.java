package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.node;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.coordinator.history.log.InboxTopic;
import dev.muster.coordinator.history.log.LogFile;
import dev.muster.coordinator.history.replay.PoolPast;
import dev.muster.coordinator.snapshotter.SnapshotOutcome;
import dev.muster.coordinator.snapshotter.Snapshotter;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.InboxEvent;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log in a file, of an inbox into which somebody writes in transactions, as admission does. */
@Tag("only-in-profile-long")
class SavedLogIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String GROUP = "saved-log-it";
    private static final String CORE = "4.2-test";
    private static final int NUMBER = 28;
    private static final String POOL = "pool-" + NUMBER;

    @TempDir private Path folder;

    /** The end of its transaction takes the offset behind the snapshot. */
    @Test
    void logThatWasSavedFromASnapshotOnCanBeReplayed() throws Exception {
        try (var outside = new Outside();
                var coordinator = coordinator()) {
            coordinator.start();
            var pool = outside.pool(NUMBER).withNodes(1, 4);
            pool.send(submitted(job("s-first", 1), workers(1)));
            awaitTakenIn("s-first");
            var snapshot = writtenBehindATransaction();
            pool.send(submitted(job("s-second", 2), workers(1)));
            awaitTakenIn("s-second");

            var file = folder.resolve("log");
            // From its own moment on the last record that it includes would be compared, too.
            long first = save(file, snapshot.at().plusMillis(1));

            assertThat(first).isEqualTo(snapshot.offset() + 1);
            assertThat(firstRecord(file)).isGreaterThan(first);
            try (var past = new PoolPast(Outside.KAFKA, POOL, LogFile.open(file))) {
                var result = past.replay(snapshot.at(), Instant.MAX, CORE, (_, _) -> {});
                assertThat(result.isSame()).isTrue();
                assertThat(result.same()).isPositive();
            }
        }
    }

    private CoordinatorStreams coordinator() {
        return new CoordinatorStreams(
                Outside.KAFKA,
                new CoordinatorConfig(
                        GROUP,
                        folder.resolve("state"),
                        2,
                        0,
                        "",
                        Duration.ofMillis(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10)),
                new SimpleMeterRegistry(),
                CORE);
    }

    /** Until nothing is appended between a transaction and the snapshot, as of time that passed. */
    private static SnapshotOutcome.Written writtenBehindATransaction() {
        var snapshots = new ArrayList<SnapshotOutcome.Written>();
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    long last = sendInATransaction(node("n0", 4));
                    awaitTakenIn("n0");
                    snapshots.add(written());
                    assertThat(snapshots.getLast().offset()).isEqualTo(last);
                });
        return snapshots.getLast();
    }

    /** Its offset. */
    private static long sendInATransaction(InboxEvent event) throws Exception {
        event.setPool(POOL);
        var config = new HashMap<>(Outside.KAFKA);
        config.put("transactional.id", GROUP);
        try (var producer =
                        new KafkaProducer<>(
                                config, new ByteArraySerializer(), new ByteArraySerializer());
                var serializer = new AvroSerializer<InboxEvent>()) {
            serializer.configure(Outside.KAFKA, false);
            producer.initTransactions();
            producer.beginTransaction();
            var sent =
                    producer.send(
                            new ProducerRecord<>(
                                    Topics.INBOX.name(),
                                    NUMBER,
                                    POOL.getBytes(UTF_8),
                                    serializer.serialize(Topics.INBOX.name(), event)));
            producer.commitTransaction();
            return sent.get().offset();
        }
    }

    private static PoolPast past() {
        return new PoolPast(Outside.KAFKA, POOL, new InboxTopic(Outside.KAFKA, NUMBER));
    }

    /** What was published of all that is there is there, too. */
    private static void awaitTakenIn(String name) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    try (var past = past()) {
                        var result = past.replay(null, Instant.MAX, CORE, (_, _) -> {});
                        assertThat(result.same()).isPositive();
                        assertThat(result.unanswered()).as(name).isZero();
                    }
                });
    }

    private static SnapshotOutcome.Written written() {
        var all = new Snapshotter(Outside.KAFKA, GROUP, CORE, false).run();
        assertThat(all.get(POOL)).isInstanceOf(SnapshotOutcome.Written.class);
        return (SnapshotOutcome.Written) all.get(POOL);
    }

    private static long firstRecord(Path file) throws Exception {
        try (var log = LogFile.open(file)) {
            return log.from(0).next().offset();
        }
    }

    private static long save(Path file, Instant from) throws Exception {
        try (var past = past()) {
            var part = past.readBy(from, Instant.MAX);
            try (var writer = new LogFile.Writer(file, part.first())) {
                while (part.records().hasNext()) {
                    writer.write(part.records().next());
                }
            }
            return part.first();
        }
    }
}
