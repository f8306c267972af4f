package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.pod;
import static dev.muster.coordinator.stream.InboxRecords.podSeen;
import static dev.muster.coordinator.stream.InboxRecords.seen;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.history.log.InboxRecord;
import dev.muster.coordinator.history.log.LogFile;
import dev.muster.coordinator.history.replay.Heard;
import dev.muster.coordinator.history.replay.PoolCopy;
import dev.muster.coordinator.history.replay.PoolPast;
import dev.muster.coordinator.history.replay.Stretch;
import dev.muster.coordinator.history.snapshots.Snapshot;
import dev.muster.coordinator.history.whatif.Alteration;
import dev.muster.coordinator.history.whatif.WhatIf;
import dev.muster.coordinator.stream.Stage.Sent;
import dev.muster.coordinator.stream.rows.RowCodec;
import dev.muster.coordinator.stream.rows.RowKeys;
import dev.muster.v1.PodPhase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy beside the host that hears the same. */
class PoolCopyTest {
    private final Stage stage = new Stage();
    private final List<Sent> published = new ArrayList<>();

    @TempDir Path folder;

    /** Jobs that run, wait, end and are cancelled, with the time that passes. */
    @BeforeEach
    void play() {
        send(() -> stage.with(2, 1));
        for (int i = 1; i <= 4; i++) {
            int number = i;
            send(() -> stage.send(submitted(job("j" + number, number), workers(number))));
        }
        var first = pod(job("j1", 1), 0);
        send(() -> stage.send(podSeen(job("j1", 1), seen(first, PodPhase.PENDING).build())));
        stage.pass(Duration.ofMillis(300));
        send(() -> stage.send(podSeen(job("j1", 1), seen(first, PodPhase.RUNNING).build())));
        stage.pass(Duration.ofSeconds(2));
        send(stage::tellTime);
        send(() -> stage.send(InboxRecords.cancel(job("j3", 3))));
        var ended =
                seen(first, PodPhase.SUCCEEDED)
                        .setContainers(List.of(InboxRecords.ended("main", 0)))
                        .build();
        send(() -> stage.send(podSeen(job("j1", 1), ended)));
        stage.pass(Duration.ofMinutes(10));
        send(stage::tellTime);
        send(() -> stage.send(InboxRecords.node("n3", 8)));
        stage.pass(Duration.ofSeconds(1));
        send(stage::tellTime);
    }

    private void send(Runnable events) {
        events.run();
        published.addAll(stage.takeSent());
    }

    @Test
    void copyThatIsOnlyAskedStandsAsTheWholeOneAndPublishesNothing() {
        var whole = copy(null, new TreeSet<>());
        var asked = PoolCopy.toBeAsked(Stage.POOL, null, stage.wire::event, new TreeSet<>());
        var inbox = stage.records();
        int half = inbox.size() / 2;
        inbox.subList(0, half).forEach(whole::take);
        var snapshot = whole.snapshot("1");
        var later = PoolCopy.toBeAsked(Stage.POOL, snapshot, stage.wire::event, new TreeSet<>());
        inbox.subList(half, inbox.size()).forEach(whole::take);

        assertThat(outputs(asked, inbox)).isEmpty();
        assertThat(outputs(later, inbox.subList(half, inbox.size()))).isEmpty();

        assertThat(asked.rows()).containsExactlyInAnyOrderElementsOf(whole.rows().toList());
        assertThat(later.rows()).containsExactlyInAnyOrderElementsOf(whole.rows().toList());
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private PoolCopy copy(@Nullable Snapshot start, SortedSet<Long> parked) {
        return new PoolCopy(Stage.POOL, start, stage.wire::event, parked);
    }

    private static List<Sent> outputs(PoolCopy copy, List<InboxRecord> inbox) {
        var outputs = new ArrayList<Sent>();
        for (var in : inbox) {
            switch (copy.take(in)) {
                case Heard.Taken taken ->
                        taken.outputs()
                                .forEach(output ->
                                        outputs.add(
                                                new Sent(
                                                        output.topic().name(),
                                                        output.key(),
                                                        output.value())));
                case Heard.Parked _ -> {}
                case Heard.Unusable unusable -> throw new AssertionError(unusable.why());
            }
        }
        return outputs;
    }

    @Test
    void copySaysWhatTheHostPublished() {
        // What a pool of the stage says before it is played on is dropped.
        var all = outputs(copy(null, new TreeSet<>()), stage.records());

        assertThat(all.subList(all.size() - published.size(), all.size())).isEqualTo(published);
        assertThat(published).hasSizeGreaterThan(20);
    }

    @Test
    void copyMadeFromASnapshotAtAnyRecordGoesOnAsItWould() {
        var inbox = stage.records();
        var all = outputs(copy(null, new TreeSet<>()), inbox);
        for (int i = 1; i < inbox.size(); i++) {
            var before = copy(null, new TreeSet<>());
            outputs(before, inbox.subList(0, i));
            var snapshot = before.snapshot("1");
            var after = outputs(copy(snapshot, new TreeSet<>()), inbox.subList(i, inbox.size()));

            assertThat(after)
                    .as("after %d records", i)
                    .isEqualTo(all.subList(all.size() - after.size(), all.size()));
        }
    }

    @Test
    void snapshotOfTheSameRecordIsTheSame() {
        var one = copy(null, new TreeSet<>());
        var inbox = stage.records();
        outputs(one, inbox.subList(0, inbox.size() / 2));
        var other = copy(one.snapshot("1"), new TreeSet<>());
        outputs(one, inbox.subList(inbox.size() / 2, inbox.size()));
        outputs(other, inbox.subList(inbox.size() / 2, inbox.size()));

        assertThat(one.snapshot("1").digest()).isEqualTo(other.snapshot("1").digest());
        assertThat(one.snapshot("1").offset()).isEqualTo(inbox.size() - 1L);
        assertThat(one.snapshot("1").specs())
                .containsOnlyKeys("ml/j1@3-1", "ml/j2@3-2", "ml/j4@3-4");
    }

    @Test
    void whatTheCoordinatorParkedIsPassedOver() {
        stage.send("no Avro".getBytes(StandardCharsets.UTF_8));
        stage.send(submitted(job("j5", 5), workers(1)));
        var inbox = stage.records();
        long bad = inbox.size() - 2L;
        var copy = copy(null, new TreeSet<>(List.of(bad)));

        outputs(copy, inbox.subList(0, (int) bad));
        assertThat(copy.take(inbox.get((int) bad))).isInstanceOf(Heard.Parked.class);
        assertThat(copy.take(inbox.getLast())).isInstanceOf(Heard.Taken.class);
    }

    /** The coordinator may come to park one later than its offsets say. */
    @Test
    void whatWasTakenThoughTheCoordinatorParkedItIsKnown() {
        var copy = copy(null, new TreeSet<>(List.of(3L)));
        copy.feed(stage.records().iterator());
        long last = copy.position();

        assertThat(copy.tookThoughParked(new TreeSet<>(List.of(3L, last + 1)))).isEmpty();
        assertThat(copy.tookThoughParked(new TreeSet<>(List.of(3L, last, last + 1))))
                .hasValue(last);
    }

    @Test
    void whatCannotBeReadAndWasNotParkedIsSaid() {
        var copy = copy(null, new TreeSet<>());
        var bad = new InboxRecord(Stage.POOL, 0, Stage.NOON, new byte[] {1});
        assertThat(copy.take(bad))
                .isEqualTo(new Heard.Unusable(bad, "1 bytes are no record: 5 say the schema"));
    }

    /** As the one beside it in the coordinator, which stops there. */
    @Test
    void copyThatCannotGoOnStandsAsBeforeTheRecord() {
        var whole = copy(null, new TreeSet<>());
        whole.feed(stage.records().iterator());
        var stuck = withAnAlarmThatFails(whole.snapshot("1"));
        var copy = copy(stuck, new TreeSet<>());
        stage.send(submitted(job("j8", 8), workers(1)));
        stage.pass(Duration.ofMinutes(2));
        stage.send(submitted(job("j9", 9), workers(1)));
        stage.send(InboxRecords.node("n9", 9));
        var records = stage.records().subList((int) stuck.offset() + 1, stage.records().size());

        var fed = copy.feed(records.iterator());

        assertThat(fed.records()).isEqualTo(1);
        assertThat(fed.stop()).isNotNull();
        assertThat(fed.stop().offset()).isEqualTo(records.get(1).offset());
        assertThat(fed.stop().why()).startsWith("the rules fail: ");
        assertThat(copy.pool().newest("ml", "j8")).isPresent();
        assertThat(copy.pool().newest("ml", "j9")).isEmpty();
        assertThat(copy.snapshot("1").specs())
                .containsKey("ml/j8@3-8")
                .doesNotContainKey("ml/j9@3-9");
        assertThat(copy.pool().now()).isEqualTo(records.getFirst().appended());
    }

    @Test
    void stretchEndsWhereThePoolCannotGoOn() {
        var whole = copy(null, new TreeSet<>());
        whole.feed(stage.records().iterator());
        var stuck = withAnAlarmThatFails(whole.snapshot("1"));
        stage.send(submitted(job("j8", 8), workers(1)));
        stage.pass(Duration.ofMinutes(2));
        stage.send(InboxRecords.node("n9", 9));
        var records = stage.records().subList((int) stuck.offset() + 1, stage.records().size());
        var stretch =
                new Stretch(
                        "default",
                        () -> copy(stuck, new TreeSet<>()),
                        _ -> records.iterator(),
                        null);

        var result = WhatIf.run(stretch, Alteration.none(), "1").orElseThrow();

        assertThat(result.to()).isEqualTo(records.getFirst().appended());
        assertThat(result.stop()).isNotNull();
        assertThat(result.stop().offset()).isEqualTo(records.getLast().offset());
        var later =
                new Stretch(
                        "default", stretch.begin(), stretch.after(), records.getLast().appended());
        assertThatThrownBy(() -> WhatIf.run(later, Alteration.none(), "1"))
                .isInstanceOf(PoolPast.StoppedException.class)
                .hasMessageContaining("record " + records.getLast().offset());
    }

    private static Snapshot withAnAlarmThatFails(Snapshot snapshot) {
        var fails = new Alarm(Alarm.Kind.REPAIR, "no-job", snapshot.at().plusSeconds(60));
        var rows = new TreeMap<>(snapshot.rows());
        rows.put(RowKeys.of(fails.key()), RowCodec.encode(fails));
        return new Snapshot(
                snapshot.pool(),
                snapshot.offset(),
                snapshot.at(),
                snapshot.coreVersion(),
                rows,
                snapshot.specs());
    }

    @Test
    void copySaysWhoseRulesDecidedWhatItWasFedWith() {
        stage.send(InboxRecords.coreVersion("1"));
        stage.send(InboxRecords.node("n4", 8));
        stage.send(InboxRecords.coreVersion("2"));
        var inbox = stage.records();
        var copy = copy(null, new TreeSet<>());
        var told = new ArrayList<String>();
        for (var in : inbox) {
            var version = copy.versionIn(in);
            if (version != null) {
                told.add(version);
            }
            assertThat(copy.take(in)).isInstanceOf(Heard.Taken.class);
        }

        assertThat(told).containsExactly("1", "2");
        assertThat(copy.coreVersion()).isEqualTo("2");
        assertThat(copy.versions()).containsExactly("1");
    }

    @Test
    void logInAFileIsTheLog() throws Exception {
        var file = folder.resolve("log");
        try (var out = new LogFile.Writer(file, 0)) {
            for (var in : stage.records()) {
                out.write(in);
            }
            out.write(new InboxRecord(Stage.POOL, stage.records().size(), Stage.NOON, null));
        }
        try (var log = LogFile.open(file)) {
            assertThat(log.partition()).isEqualTo(Stage.POOL);
            assertThat(log.first()).isZero();
            assertThat(log.end()).isEqualTo(stage.records().size() + 1L);
            var read = new ArrayList<InboxRecord>();
            log.from(0).forEachRemaining(read::add);
            assertThat(read)
                    .usingRecursiveFieldByFieldElementComparator()
                    .startsWith(stage.records().toArray(InboxRecord[]::new))
                    .hasSize(stage.records().size() + 1);
            assertThat(log.from(7).next().offset()).isEqualTo(7);
        }
    }

    @Test
    void logThatWasCutSaysSoWhereverThatWas() throws Exception {
        var file = folder.resolve("whole");
        try (var out = new LogFile.Writer(file, 1)) {
            out.write(new InboxRecord(300, 1, Stage.NOON, new byte[2]));
            out.write(new InboxRecord(300, 2, Stage.NOON, new byte[2]));
        }
        try (var log = LogFile.open(file)) {
            assertThat(log.partition()).isEqualTo(300);
        }
        var bytes = Files.readAllBytes(file);
        int one = (bytes.length - 16) / 2;
        for (int length = 16 + one + 1; length < bytes.length; length++) {
            var cut = Files.write(folder.resolve("cut"), Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> LogFile.open(cut))
                    .isInstanceOf(IOException.class)
                    .hasMessage(cut + " ends within a record: it was cut");
        }
    }

    /** What lies between was the end of a transaction: no record. */
    @Test
    void logBeginsWhereItWasAskedForThoughItsFirstRecordIsBehindThat() throws Exception {
        var file = folder.resolve("log");
        try (var out = new LogFile.Writer(file, 5)) {
            out.write(new InboxRecord(300, 7, Stage.NOON, new byte[2]));
        }
        try (var log = LogFile.open(file)) {
            assertThat(log.first()).isEqualTo(5);
            assertThat(log.from(5).next().offset()).isEqualTo(7);
        }
    }

    @Test
    void logOfBeforeBeginsWithItsFirstRecord() throws Exception {
        var file = folder.resolve("log");
        try (var out = new LogFile.Writer(file, 5)) {
            out.write(new InboxRecord(300, 7, Stage.NOON, new byte[2]));
        }
        var bytes = Files.readAllBytes(file);
        var before = new ByteArrayOutputStream();
        before.writeBytes("muster-1".getBytes(UTF_8));
        before.write(bytes, 16, bytes.length - 16);
        Files.write(file, before.toByteArray());
        try (var log = LogFile.open(file)) {
            assertThat(log.first()).isEqualTo(7);
            assertThat(log.from(5).next().offset()).isEqualTo(7);
        }
    }

    @Test
    void anotherFileIsNoLog() throws Exception {
        var file = Files.writeString(folder.resolve("text"), "something else");
        assertThatThrownBy(() -> LogFile.open(file))
                .hasMessageEndingWith("is no log of muster replay --save");
    }
}
