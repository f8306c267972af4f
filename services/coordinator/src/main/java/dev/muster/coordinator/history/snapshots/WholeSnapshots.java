package dev.muster.coordinator.history.snapshots;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.stream.rows.RowKeys;
import dev.muster.v1.SnapshotKind;
import dev.muster.v1.SnapshotRecord;
import java.util.Iterator;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** Finds the snapshots of one pool that are whole among records of their partition, in order. */
final class WholeSnapshots {
    private static final String CLOCK = RowKeys.of(new Row.Key(Row.Table.CLOCK, ""));

    private final String prefix;
    private final Function<byte[], SnapshotRecord> read;
    private final Iterator<ConsumerRecord<byte[], byte[]>> records;
    private long number = -1;
    private long began = -1;
    private boolean passed;

    /**
     * Where one lies.
     *
     * @param from offset of its first record
     * @param to behind its last one
     * @param number the offset in the inbox that it includes
     */
    record Extent(long from, long to, long number) {}

    /**
     * @param records some of the partition; one that began before them is none of those found
     */
    WholeSnapshots(
            String pool,
            Function<byte[], SnapshotRecord> read,
            Iterator<ConsumerRecord<byte[], byte[]>> records) {
        this.prefix = pool + "/";
        this.read = read;
        this.records = records;
    }

    /**
     * The next one.
     *
     * @param least those that end before this record of the inbox are passed over
     * @return null: there is none
     */
    @Nullable Extent next(long least) {
        return next(least, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    private @Nullable Extent next(long least, long before, long until) {
        while (records.hasNext()) {
            var in = records.next();
            var key = new String(in.key(), UTF_8);
            if (!key.startsWith(prefix)) {
                if (in.timestamp() > until) {
                    return null;
                }
                continue;
            }
            if (number(key) >= before) {
                return null;
            }
            // Most of what is passed over is not even read: there may be a month of it.
            if (number(key) < least) {
                passed = true;
                continue;
            }
            SnapshotRecord value;
            try {
                value = read.apply(in.value());
            } catch (SerializationException e) {
                began = -1; // What it is part of is not whole.
                continue;
            }
            // A pool of which nothing was heard meanwhile has the same number again.
            if (isFirst(value)) {
                number = value.getNumber();
                began = in.offset();
            } else if (value.getNumber() != number) {
                number = value.getNumber();
                began = -1;
            }
            if (value.getKind() == SnapshotKind.COMPLETE && began >= 0) {
                return new Extent(began, in.offset() + 1, number);
            }
        }
        return null;
    }

    /**
     * The last one; null: there is none.
     *
     * @param before with the first that includes this record of the inbox, or a later one, it ends
     * @param until with another pool's record that is later it ends, too: this one may have no more
     */
    @Nullable Extent last(long before, long until) {
        Extent last = null;
        for (var next = next(0, before, until); next != null; next = next(0, before, until)) {
            last = next;
        }
        return last;
    }

    /** Some of what was passed over ended before. */
    boolean hasPassed() {
        return passed;
    }

    private long number(String key) {
        return Long.parseLong(key.substring(prefix.length(), key.indexOf('/', prefix.length())));
    }

    /** Rows come in order, and the clock's is the first of all. */
    private static boolean isFirst(SnapshotRecord value) {
        var row = value.getRow();
        return row != null
                && row.getStore().equals(SnapshotWriter.ROWS)
                && UTF_8.decode(row.getKey().duplicate()).toString().equals(CLOCK);
    }
}
