package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.stream.rows.RowCodec;
import dev.muster.coordinator.stream.rows.RowKeys;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * A pool on its way from its rows, a little at a time: whoever else is on this thread goes on in
 * between, and no transaction is open for long.
 */
final class Rebuild implements AutoCloseable {
    private static final int ROWS_PER_LOOK = 100;

    private final KeyValueIterator<String, byte[]> entries;
    private final Pool.Restoring restoring = Pool.Restoring.begin();
    private final long began = System.nanoTime();
    private int rows;

    /**
     * Begins.
     *
     * @param entries of a pool's rows, in the order of their keys
     */
    Rebuild(KeyValueIterator<String, byte[]> entries) {
        this.entries = entries;
    }

    /** Goes on for so long, or a hundred rows; the pool when it is whole. */
    Optional<Pool> goOn(Duration slice) {
        long until = System.nanoTime() + slice.toNanos();
        do {
            for (int i = 0; i < ROWS_PER_LOOK && entries.hasNext(); i++) {
                var entry = entries.next();
                restoring.add(RowCodec.decode(RowKeys.table(entry.key), entry.value));
                rows++;
            }
        } while (entries.hasNext() && System.nanoTime() < until);
        return entries.hasNext() ? Optional.empty() : Optional.of(restoring.whole());
    }

    int rows() {
        return rows;
    }

    Duration took() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    @Override
    public void close() {
        entries.close();
    }
}
