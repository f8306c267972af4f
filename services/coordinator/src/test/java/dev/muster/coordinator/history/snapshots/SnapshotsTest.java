package dev.muster.coordinator.history.snapshots;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.history.log.Patience;
import dev.muster.coordinator.history.log.PretendedTopics;
import dev.muster.coordinator.history.log.TopicReader;
import dev.muster.coordinator.stream.rows.RowKeys;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.schemas.serde.FakeRegistry;
import dev.muster.v1.Envelope;
import dev.muster.v1.SnapshotComplete;
import dev.muster.v1.SnapshotKind;
import dev.muster.v1.SnapshotRecord;
import dev.muster.v1.SnapshotRow;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two pools whose snapshots share a partition, each with a time of its own. */
@Timeout(60)
class SnapshotsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration AHEAD = Duration.ofHours(3);
    private static final TopicPartition PARTITION =
            new TopicPartition(Topics.SNAPSHOTS.name(), SnapshotWriter.partition(0));
    private static final String CLOCK = RowKeys.of(new Row.Key(Row.Table.CLOCK, ""));

    private final FakeRegistry registry = new FakeRegistry();
    private final PretendedTopics topics = new PretendedTopics();
    private final Snapshots snapshots =
            new Snapshots(
                    new TopicReader(topics, new Patience(Duration.ofSeconds(10))),
                    registry.config());

    @AfterEach
    void close() {
        snapshots.close();
        registry.close();
    }

    /**
     * Its only row is the clock's, without bytes.
     *
     * @param at the pool's time
     */
    private void write(String pool, long number, Instant at) {
        var digest = new SnapshotDigest();
        digest.add(CLOCK, new byte[0]);
        var row =
                new SnapshotRow(
                        SnapshotWriter.ROWS,
                        ByteBuffer.wrap(CLOCK.getBytes(UTF_8)),
                        ByteBuffer.allocate(0));
        add(record(pool, number, at).setKind(SnapshotKind.ROW).setRow(row).build());
        add(
                record(pool, number, at)
                        .setKind(SnapshotKind.COMPLETE)
                        .setComplete(new SnapshotComplete(1L, digest.text(), "", number))
                        .build());
    }

    private static SnapshotRecord.Builder record(String pool, long number, Instant at) {
        return SnapshotRecord.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder()
                                .setId(pool + "/" + number)
                                .setAt(at)
                                .setActor("snapshotter")
                                .build())
                .setPool(pool)
                .setNumber(number);
    }

    private void add(SnapshotRecord value) {
        try (var serializer = new AvroSerializer<SnapshotRecord>()) {
            serializer.configure(registry.config(), false);
            topics.add(
                    PARTITION,
                    "%s/%d/%s".formatted(value.getPool(), value.getNumber(), value.getKind()),
                    value.getEnvelope().getAt().toEpochMilli(),
                    serializer.serialize(PARTITION.topic(), value));
        }
    }

    private long newest(long before, Instant about) {
        return snapshots.newest("a", 0, before, about).map(Snapshot::offset).orElse(-1L);
    }

    @Test
    void poolWhoseTimeIsAheadHidesNoSnapshotOfAnother() {
        write("a", 10, NOON);
        write("b", 99, NOON.plus(AHEAD));
        write("a", 20, NOON.plusSeconds(3_600));
        write("b", 199, NOON.plusSeconds(3_600).plus(AHEAD));
        write("a", 30, NOON.plusSeconds(7_200));

        assertThat(newest(25, NOON.plusSeconds(5_000))).isEqualTo(20);
        assertThat(newest(30, NOON.plusSeconds(5_000))).isEqualTo(20);
        assertThat(newest(31, NOON.plusSeconds(7_300))).isEqualTo(30);
        assertThat(newest(10, NOON.minusSeconds(1))).isEqualTo(-1);
    }

    /** Asked for is when records were appended, and their pool was three hours ahead of that. */
    @Test
    void soItIsWithThePoolsOwnTime() {
        write("a", 10, NOON.plus(AHEAD));
        write("a", 20, NOON.plusSeconds(3_600).plus(AHEAD));
        write("a", 30, NOON.plusSeconds(7_200).plus(AHEAD));

        assertThat(newest(25, NOON.plusSeconds(5_000))).isEqualTo(20);
        assertThat(newest(15, NOON.plusSeconds(1_000))).isEqualTo(10);
    }

    /** They may be many, of a pool of which nothing is heard any more. */
    @Test
    void nothingIsReadFarBehindTheRecord() {
        write("a", 10, NOON);
        write("b", 99, NOON.plus(TopicReader.AHEAD).plusSeconds(61));
        write("a", 20, NOON.plusSeconds(62));

        assertThat(newest(25, NOON.plusSeconds(60))).isEqualTo(10);
    }
}
