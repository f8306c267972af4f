package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.stream.rows.RowReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * A pool on its way from its rows, a little at a time: whoever else is on this thread goes on in
 * between, and no transaction is open for long.
 */
final class Rebuild implements AutoCloseable {
    /** Enough for several processors to share; few enough for a slice not to be much longer. */
    private static final int ROWS_PER_LOOK = 128;

    private final KeyValueIterator<String, byte[]> entries;
    private final RowReader reader = new RowReader();
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

    /** Goes on for so long, or a few hundred rows; the pool when it is whole. */
    Optional<Pool> goOn(Duration slice) {
        long until = System.nanoTime() + slice.toNanos();
        do {
            var next = next();
            decoded(next).forEach(restoring::add);
            rows += next.size();
        } while (entries.hasNext() && System.nanoTime() < until);
        return entries.hasNext() ? Optional.empty() : Optional.of(restoring.whole());
    }

    private List<KeyValue<String, byte[]>> next() {
        var next = new ArrayList<KeyValue<String, byte[]>>(ROWS_PER_LOOK);
        while (next.size() < ROWS_PER_LOOK && entries.hasNext()) {
            next.add(entries.next());
        }
        return next;
    }

    /** Decoding is most of a takeover: all processors share it. The order stays. */
    private List<Row> decoded(List<KeyValue<String, byte[]>> some) {
        return some.parallelStream().map(entry -> reader.row(entry.key, entry.value)).toList();
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
