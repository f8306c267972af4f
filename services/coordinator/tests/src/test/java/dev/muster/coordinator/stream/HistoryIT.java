package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.confirmed;
import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.suspend;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.coordinator.core.Standing.Place;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.history.explain.Explainer;
import dev.muster.coordinator.history.explain.Explanation;
import dev.muster.coordinator.history.log.InboxTopic;
import dev.muster.coordinator.history.log.LogFile;
import dev.muster.coordinator.history.replay.Finding;
import dev.muster.coordinator.history.replay.PoolPast;
import dev.muster.coordinator.history.replay.Replay;
import dev.muster.coordinator.history.snapshots.Snapshot;
import dev.muster.coordinator.history.snapshots.Snapshots;
import dev.muster.coordinator.snapshotter.SnapshotOutcome;
import dev.muster.coordinator.snapshotter.Snapshotter;
import dev.muster.coordinator.stream.Outside.Inbox;
import dev.muster.schemas.Partitions;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.Decision;
import dev.muster.v1.DecisionKind;
import dev.muster.v1.JobSubmitted;
import dev.muster.v1.Phase;
import dev.muster.v1.WaitReason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots, replay and explanations of what a real coordinator did on a real broker. */
class HistoryIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String GROUP = "history-it";
    private static final String CORE = "4.2-test";

    @TempDir private static Path states;
    private static Outside outside;
    private static CoordinatorStreams coordinator;

    @BeforeAll
    static void start() {
        outside = new Outside();
        startCoordinator();
    }

    private static void startCoordinator() {
        coordinator =
                new CoordinatorStreams(
                        Outside.KAFKA,
                        new CoordinatorConfig(
                                GROUP,
                                states,
                                2,
                                0,
                                "",
                                Duration.ofMillis(10),
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(10)),
                        new SimpleMeterRegistry(),
                        CORE);
        coordinator.start();
    }

    @AfterAll
    static void stop() {
        coordinator.close();
        outside.close();
    }

    /** Two nodes of a core: the second job waits, the third waits behind it, a record is parked. */
    private static Inbox played(int number) {
        var pool = outside.pool(number).withNodes(2, 1);
        pool.send(submitted(job("h-first", 1), workers(1)));
        pool.send(submitted(job("h-second", 2), workers(2)));
        pool.send("no Avro".getBytes(UTF_8));
        pool.send(submitted(job("h-third", 3), workers(2)));
        awaitTakenIn(number);
        return pool;
    }

    private static void awaitTakenIn(int number) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(replay(number, null).unanswered()).isZero());
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(outside.read(Topics.REQUEST_RESULTS))
                                .anyMatch(result ->
                                        result.value()
                                                .getEnvelope()
                                                .getId()
                                                .startsWith(number + "-")));
    }

    private static PoolPast past(int number) {
        return new PoolPast(Outside.KAFKA, "pool-" + number, new InboxTopic(Outside.KAFKA, number));
    }

    private static Replay.Result replay(int number, @Nullable Instant from) {
        try (var past = past(number)) {
            return past.replay(from, Instant.MAX, CORE, (_, _) -> {});
        }
    }

    private static SnapshotOutcome.Written written(int number) {
        var all = new Snapshotter(Outside.KAFKA, GROUP, CORE, false).run();
        assertThat(all.get("pool-" + number)).isInstanceOf(SnapshotOutcome.Written.class);
        return (SnapshotOutcome.Written) all.get("pool-" + number);
    }

    private static Snapshot newest(int number) {
        try (var snapshots = new Snapshots(Outside.KAFKA)) {
            return snapshots.newest("pool-" + number, number).orElseThrow();
        }
    }

    private static Explanation explain(int number, String name, Instant at) {
        try (var past = past(number)) {
            return new Explainer(Outside.KAFKA, past, CORE).explain("ml", name, at).orElseThrow();
        }
    }

    @Test
    void replayOfWhatHappenedIsIdentical() {
        played(20);

        var result = replay(20, null);

        assertThat(result.findings()).allMatch(Finding.OtherVersion.class::isInstance);
        assertThat(result.isSame()).isTrue();
        assertThat(result.same()).isGreaterThan(10);
    }

    /** They are no output of the pool's: nothing is replayed that would say them. */
    @Test
    @Tag("only-in-profile-long")
    void replayPassesOverAnswersToRequestsThatWereParked() {
        var pool = played(27);
        var needless = new JobSubmitted(workers(1).getSpec(), List.of(), "00", null);
        pool.send(submitted(job("h-parked", 8), needless));
        pool.send(submitted(job("h-fourth", 9), workers(2)));
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(outside.read(Topics.JOB_STATUS))
                                .anyMatch(status -> status.key().equals("ml/h-fourth@3-9")));
        assertThat(outside.read(Topics.JOB_STATUS))
                .filteredOn(status -> status.key().equals("ml/h-parked@3-8"))
                .extracting(status -> status.value().getPhase())
                .containsExactly(Phase.REFUSED);

        var result = replay(27, null);

        assertThat(result.findings()).allMatch(Finding.OtherVersion.class::isInstance);
        assertThat(result.isSame()).isTrue();
    }

    @Test
    @Tag("only-in-profile-long")
    void replayFromASnapshotIsIdenticalToo() {
        var pool = played(21);
        var snapshot = written(21);
        assertThat(newest(21).specs())
                .containsOnlyKeys("ml/h-first@3-1", "ml/h-second@3-2", "ml/h-third@3-3");
        pool.send(InboxRecords.node("late", 4));
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(replay(21, null).records())
                                .isGreaterThan(snapshot.offset() + 1));
        awaitTakenIn(21);

        try (var past = past(21)) {
            var arrived = past.at(Instant.now().plusSeconds(60));
            assertThat(arrived.snapshot()).isEqualTo(snapshot.at());
            assertThat(written(21).offset()).isGreaterThan(snapshot.offset());
        }
        var result = replay(21, snapshot.at());
        assertThat(result.findings()).isEmpty();
        assertThat(result.same()).isPositive();
    }

    /** Snapshots are kept for longer than the inbox, and a file may begin anywhere. */
    @Test
    @Tag("only-in-profile-long")
    void replayBeginsWithTheOldestSnapshotFromWhichTheLogGoesOn() throws Exception {
        var pool = played(26);
        var early = written(26);
        pool.send(InboxRecords.node("late", 1));
        pool.send(InboxRecords.node("later", 1));
        awaitTakenIn(26);
        var next = written(26);
        assertThat(next.offset()).isGreaterThan(early.offset() + 1);
        pool.send(InboxRecords.node("last", 4));
        awaitTakenIn(26);
        var file = states.resolve("middle");
        long end = saved(file, early.offset() + 2);
        forgetBefore(26, early.offset() + 2);

        try (var past = new PoolPast(Outside.KAFKA, "pool-26", LogFile.open(file))) {
            var result = past.replay(null, Instant.MAX, CORE, (_, _) -> {});
            assertThat(result.isSame()).isTrue();
            assertThat(result.records()).isEqualTo(end - next.offset() - 1);
        }
        var result = replay(26, null);
        assertThat(result.isSame()).isTrue();
        assertThat(result.same()).isPositive();
        assertThat(result.records()).isGreaterThanOrEqualTo(end - next.offset() - 1);
    }

    /** Writes what is kept from a record on into a file; returns what is behind it. */
    private static long saved(Path file, long from) throws Exception {
        try (var inbox = new InboxTopic(Outside.KAFKA, 26);
                var writer = new LogFile.Writer(file, from)) {
            for (var records = inbox.from(from); records.hasNext(); ) {
                writer.write(records.next());
            }
            return inbox.end();
        }
    }

    private static void forgetBefore(int number, long offset) throws Exception {
        var partition = new TopicPartition(Topics.INBOX.name(), number);
        try (var admin = Admin.create(Outside.KAFKA)) {
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
                    .all()
                    .get();
        }
    }

    @Test
    @Tag("only-in-profile-long")
    void decisionThatWasTamperedWithIsFound() throws Exception {
        var pool = played(22);
        assertThat(replay(22, null).isSame()).isTrue();
        coordinator.close();
        long next;
        try (var inbox = new InboxTopic(Outside.KAFKA, 22)) {
            next = inbox.end();
        }
        pool.send(submitted(job("h-forged", 9), workers(7)));
        var id = "22-%d/4".formatted(next);
        publish(
                Decision.newBuilder()
                        .setEnvelope(InboxRecords.envelope(id))
                        .setKind(DecisionKind.WAITS)
                        .setPool("pool-22")
                        .setQueue(InboxRecords.QUEUE)
                        .setJob(job("h-forged", 9))
                        .setReason(
                                WaitReason.newBuilder()
                                        .setCode("QueuePaused")
                                        .setSince(Instant.now())
                                        .build())
                        .build());
        startCoordinator();
        awaitDecided("h-forged");

        assertThat(replay(22, null).findings())
                .filteredOn(Finding::isDifference)
                .anySatisfy(finding ->
                        assertThat(finding)
                                .isInstanceOfSatisfying(
                                        Finding.Differs.class,
                                        differs -> {
                                            assertThat(differs.id()).isEqualTo(id);
                                            assertThat(differs.published()).contains("QueuePaused");
                                            assertThat(differs.replayed())
                                                    .contains("InsufficientCapacity");
                                        }));
    }

    private static void awaitDecided(String name) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(outside.read(Topics.DECISIONS))
                                .filteredOn(d -> d.value().getJob() != null)
                                .filteredOn(d -> d.value().getJob().getName().equals(name))
                                .hasSize(2));
    }

    private static void publish(Decision decision) throws Exception {
        var at = Instant.now();
        decision.getEnvelope().setActor("coordinator");
        decision.getEnvelope().setAt(at);
        try (var producer =
                        new KafkaProducer<>(
                                Outside.KAFKA,
                                new ByteArraySerializer(),
                                new ByteArraySerializer());
                var serializer = new AvroSerializer<Decision>()) {
            serializer.configure(Outside.KAFKA, false);
            producer.send(
                            new ProducerRecord<>(
                                    Topics.DECISIONS.name(),
                                    Partitions.ofKey(Topics.DECISIONS, decision.getQueue()),
                                    at.toEpochMilli(),
                                    decision.getQueue().getBytes(UTF_8),
                                    serializer.serialize(Topics.DECISIONS.name(), decision)))
                    .get();
        }
    }

    @Test
    void explanationOfAPastMomentHasTheWordsThatWereRecordedThen() {
        var pool = played(23);
        var then = Instant.now();
        pool.send(InboxRecords.node("late", 4));
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(explain(23, "h-second", Instant.now()).start()).isNotNull());

        var told = explain(23, "h-second", then);

        assertThat(told.standing().place()).isEqualTo(new Place(1, 2));
        var recorded = told.recorded();
        assertThat(recorded).isNotNull();
        assertThat(recorded.getReason().getMessage())
                .isEqualTo("needs 2 of cpu, 1 are free")
                .isEqualTo(told.standing().reasons().getFirst().message());
        assertThat(outside.read(Topics.DECISIONS))
                .extracting(decision -> decision.value())
                .contains(recorded);
        assertThat(explain(23, "h-third", then).standing().place()).isEqualTo(new Place(2, 2));
        assertThat(explain(23, "h-third", then).recorded()).isNull();
    }

    @Test
    void explanationOfAStartedJobSaysWhatLedToIt() {
        var pool = played(24);
        pool.send(InboxRecords.node("late", 2));
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(explain(24, "h-second", Instant.now()).start()).isNotNull());

        var start = explain(24, "h-second", Instant.now()).start();

        assertThat(start).isNotNull();
        assertThat(start.cause()).isEqualTo("node late was seen");
        assertThat(start.decision().getStarted().getPlacements()).hasSize(2);
        assertThat(start.before()).isNotNull();
        assertThat(start.before().place()).isEqualTo(new Place(1, 2));
    }

    @Test
    void jobThatIsSuspendedSaysNothingOfItsEarlierStart() {
        var pool = played(25);
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(explain(25, "h-first", Instant.now()).start()).isNotNull());

        pool.send(suspend(job("h-first", 1)));

        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(explain(25, "h-first", Instant.now()).standing().job().state())
                                .isInstanceOf(JobState.Stopping.class));
        pool.send(confirmed(job("h-first", 1), 2));
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    var told = explain(25, "h-first", Instant.now());
                    assertThat(told.standing().job().state())
                            .isInstanceOf(JobState.Suspended.class);
                    assertThat(told.start()).isNull();
                });
    }
}
