package dev.muster.coordinator.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.stream.rows.RowKeys;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.v1.SnapshotKind;
import dev.muster.v1.SnapshotRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The snapshots that are kept, from topic snapshots: all of one pool lie in one partition. */
public final class Snapshots implements AutoCloseable {
    /** Older ones are looked for in ever larger steps back. */
    private static final Duration FIRST_STEP = Duration.ofHours(3);

    private static final int LARGER = 4;
    private static final String CLOCK = RowKeys.of(new Row.Key(Row.Table.CLOCK, ""));

    private final TopicReader reader;
    private final AvroDeserializer<SnapshotRecord> values =
            new AvroDeserializer<>(SnapshotRecord.class);

    /** Where a complete one lies in its partition. */
    private record Extent(TopicPartition partition, long from, long to, long number) {}

    /**
     * @param kafka settings of a client, those of the registry among them
     */
    public Snapshots(Map<String, ?> kafka) {
        reader = new TopicReader(kafka);
        values.configure(kafka, false);
    }

    private static TopicPartition partition(int pool) {
        return new TopicPartition(Topics.SNAPSHOTS.name(), SnapshotWriter.partition(pool));
    }

    /**
     * The newest whole one that is not younger than {@code at}.
     *
     * @param number of the pool
     * @throws IllegalStateException when its rows are not those of its digest
     */
    public Optional<Snapshot> newest(String pool, int number, Instant at) {
        var specs = new TreeMap<String, byte[]>();
        return newest(pool, number, at, specs::put).map(snapshot -> snapshot.with(specs));
    }

    /**
     * The same without its submissions.
     *
     * @param specs takes each of them as it is read
     */
    Optional<Snapshot> newest(
            String pool, int number, Instant at, BiConsumer<String, byte[]> specs) {
        var partition = partition(number);
        long beginning = reader.beginning(partition);
        long end = Math.min(reader.end(partition), reader.at(partition, at.plusMillis(1)));
        var step = FIRST_STEP;
        long from = end;
        while (from > beginning) {
            from = Math.max(beginning, Math.min(end, reader.at(partition, at.minus(step))));
            var found = last(partition, pool, from, end);
            if (found != null) {
                return Optional.of(read(found, pool, specs));
            }
            if (step.compareTo(Duration.ofDays(365)) > 0) {
                break;
            }
            step = step.multipliedBy(LARGER);
        }
        return Optional.empty();
    }

    /** The oldest whole one; where even the log's beginning is gone a replay begins with it. */
    public Optional<Snapshot> oldest(String pool, int number) {
        var partition = partition(number);
        return Optional.ofNullable(
                        walk(
                                partition,
                                pool,
                                new long[] {reader.beginning(partition), reader.end(partition)},
                                true))
                .map(found -> {
                    var specs = new TreeMap<String, byte[]>();
                    return read(found, pool, specs::put).with(specs);
                });
    }

    private @Nullable Extent last(TopicPartition partition, String pool, long from, long to) {
        return walk(partition, pool, new long[] {from, to}, false);
    }

    private @Nullable Extent walk(
            TopicPartition partition, String pool, long[] range, boolean first) {
        Extent found = null;
        long number = -1;
        long began = -1;
        for (var records = reader.read(partition, range[0], range[1]); records.hasNext(); ) {
            var in = records.next();
            if (!isOf(in, pool)) {
                continue;
            }
            var value = values.deserialize(Topics.SNAPSHOTS.name(), in.value());
            if (value.getNumber() != number) {
                number = value.getNumber();
                // One of which the first rows lie before the range is none of it.
                began = isFirst(value) ? in.offset() : -1;
            }
            if (value.getKind() == SnapshotKind.COMPLETE && began >= 0) {
                found = new Extent(partition, began, in.offset() + 1, number);
                if (first) {
                    return found;
                }
            }
        }
        return found;
    }

    private static boolean isOf(ConsumerRecord<byte[], byte[]> in, String pool) {
        return new String(in.key(), UTF_8).startsWith(pool + "/");
    }

    /** Rows come in order, and the clock's is the first of all. */
    private static boolean isFirst(SnapshotRecord value) {
        var row = value.getRow();
        return row != null
                && row.getStore().equals(SnapshotWriter.ROWS)
                && UTF_8.decode(row.getKey().duplicate()).toString().equals(CLOCK);
    }

    private Snapshot read(Extent extent, String pool, BiConsumer<String, byte[]> specs) {
        var rows = new TreeMap<String, byte[]>();
        var digest = new SnapshotDigest();
        SnapshotRecord last = null;
        for (var records = reader.read(extent.partition(), extent.from(), extent.to());
                records.hasNext(); ) {
            var in = records.next();
            var value =
                    isOf(in, pool) ? values.deserialize(Topics.SNAPSHOTS.name(), in.value()) : null;
            if (value == null || value.getNumber() != extent.number()) {
                continue;
            }
            var row = value.getRow();
            if (row != null) {
                var key = UTF_8.decode(row.getKey().duplicate()).toString();
                var bytes = bytes(row.getValue());
                digest.add(key, bytes);
                if (row.getStore().equals(SnapshotWriter.SPECS)) {
                    specs.accept(key, bytes);
                } else {
                    rows.put(key, bytes);
                }
            }
            last = value;
        }
        return whole(last, rows, digest);
    }

    private static Snapshot whole(
            @Nullable SnapshotRecord last, TreeMap<String, byte[]> rows, SnapshotDigest digest) {
        var complete = last == null ? null : last.getComplete();
        if (last == null || complete == null) {
            throw new IllegalStateException("a snapshot ends without its last record");
        }
        var sum = digest.text();
        if (digest.size() != complete.getRows() || !sum.equals(complete.getDigest())) {
            throw new IllegalStateException(
                    "snapshot %d of pool %s is damaged: %d rows with digest %s, %d with %s were written"
                            .formatted(
                                    last.getNumber(),
                                    last.getPool(),
                                    digest.size(),
                                    sum,
                                    complete.getRows(),
                                    complete.getDigest()));
        }
        return new Snapshot(
                last.getPool(),
                complete.getOffset(),
                last.getEnvelope().getAt(),
                complete.getCoreVersion(),
                rows,
                new TreeMap<>());
    }

    private static byte[] bytes(ByteBuffer buffer) {
        var bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    @Override
    public void close() {
        reader.close();
        values.close();
    }
}
