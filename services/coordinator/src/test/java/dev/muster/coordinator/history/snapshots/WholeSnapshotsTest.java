package dev.muster.coordinator.history.snapshots;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.history.snapshots.WholeSnapshots.Extent;
import dev.muster.coordinator.stream.rows.RowKeys;
import dev.muster.v1.Envelope;
import dev.muster.v1.SnapshotComplete;
import dev.muster.v1.SnapshotKind;
import dev.muster.v1.SnapshotRecord;
import dev.muster.v1.SnapshotRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;

class WholeSnapshotsTest {
    private static final String CLOCK = RowKeys.of(new Row.Key(Row.Table.CLOCK, ""));

    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

    /** Three records each: the clock, another row, and that it is complete. */
    private void write(String pool, long number) {
        row(pool, number, CLOCK);
        row(pool, number, "other");
        complete(pool, number);
    }

    private void row(String pool, long number, String key) {
        var row =
                new SnapshotRow(
                        SnapshotWriter.ROWS,
                        ByteBuffer.wrap(key.getBytes(UTF_8)),
                        ByteBuffer.allocate(0));
        add(pool, number, key, record(pool, number).setKind(SnapshotKind.ROW).setRow(row));
    }

    private void complete(String pool, long number) {
        add(
                pool,
                number,
                "complete",
                record(pool, number)
                        .setKind(SnapshotKind.COMPLETE)
                        .setComplete(new SnapshotComplete(2L, "", "", number)));
    }

    private static SnapshotRecord.Builder record(String pool, long number) {
        return SnapshotRecord.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder()
                                .setId(pool + "/" + number)
                                .setAt(Instant.EPOCH)
                                .setActor("snapshotter")
                                .build())
                .setPool(pool)
                .setNumber(number);
    }

    private void add(String pool, long number, String row, SnapshotRecord.Builder value) {
        try {
            records.add(
                    new ConsumerRecord<>(
                            "snapshots",
                            0,
                            records.size(),
                            "%s/%d/%s".formatted(pool, number, row).getBytes(UTF_8),
                            value.build().toByteBuffer().array()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private WholeSnapshots from(int first) {
        return new WholeSnapshots(
                "default",
                bytes -> {
                    try {
                        return SnapshotRecord.fromByteBuffer(ByteBuffer.wrap(bytes));
                    } catch (IOException | AvroRuntimeException e) {
                        throw new SerializationException(e);
                    }
                },
                records.subList(first, records.size()).iterator());
    }

    @Test
    void lastOneEndsBeforeARecordOfTheInbox() {
        write("default", 10);
        write("other", 99);
        write("default", 20);
        write("default", 30);

        assertThat(from(0).last(30, Long.MAX_VALUE)).isEqualTo(new Extent(6, 9, 20));
        assertThat(from(0).last(20, Long.MAX_VALUE)).isEqualTo(new Extent(0, 3, 10));
        assertThat(from(0).last(10, Long.MAX_VALUE)).isNull();
    }

    /** They are kept for longer than the log. */
    @Test
    void thoseThatEndBeforeTheLogBeginsArePassedOver() {
        write("default", 10);
        write("default", 20);
        write("default", 30);

        var all = from(0);
        assertThat(all.next(15)).isEqualTo(new Extent(3, 6, 20));
        assertThat(all.hasPassed()).isTrue();
        assertThat(from(0).next(20)).isEqualTo(new Extent(3, 6, 20));
        assertThat(from(0).next(21)).isEqualTo(new Extent(6, 9, 30));
        assertThat(from(0).next(31)).isNull();
    }

    /** Between what it found and what it did not look at there may be an older one. */
    @Test
    void whoBeganWithOneThatIsYoungEnoughHasPassedNone() {
        write("default", 10);
        write("default", 20);

        var all = from(3);
        assertThat(all.next(5)).isEqualTo(new Extent(3, 6, 20));
        assertThat(all.hasPassed()).isFalse();
    }

    @Test
    void onlyWholeOnesOfThePoolAreFound() {
        write("default", 10);
        row("default", 20, CLOCK);
        write("other", 25);
        write("default", 30);

        assertThat(from(1).next(0)).isEqualTo(new Extent(7, 10, 30));
        assertThat(from(0).last(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(new Extent(7, 10, 30));
        assertThat(from(8).last(Long.MAX_VALUE, Long.MAX_VALUE)).isNull();
    }

    @Test
    void oneOfWhichARecordCannotBeReadIsNotWhole() {
        write("default", 10);
        row("default", 20, CLOCK);
        records.add(
                new ConsumerRecord<>(
                        "snapshots",
                        0,
                        records.size(),
                        "default/20/x".getBytes(UTF_8),
                        new byte[2]));
        complete("default", 20);

        assertThat(from(0).last(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(new Extent(0, 3, 10));
        write("default", 30);
        assertThat(from(0).last(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(new Extent(6, 9, 30));
    }

    /** Of a pool of which nothing is heard each hour's has the number of the one before. */
    @Test
    void oneOfTheSameNumberIsOneOfItsOwn() {
        write("default", 10);
        row("default", 10, CLOCK);
        write("default", 10);
        write("default", 10);

        var all = from(0);
        assertThat(all.next(0)).isEqualTo(new Extent(0, 3, 10));
        assertThat(all.next(0)).isEqualTo(new Extent(4, 7, 10));
        assertThat(from(0).last(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(new Extent(7, 10, 10));
    }
}
