package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.stream.rows.RowReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * A pool on its way from its rows, a little at a time: whoever else is on this thread goes on in
 * between, and no transaction is open for long.
 */
final class Rebuild implements AutoCloseable {
    /** Few enough for a slice not to be much longer. */
    private static final int ROWS_PER_LOOK = 128;

    /** So many looks at a time are read before their rows are taken in, in their order. */
    private static final int AHEAD = 2 * Runtime.getRuntime().availableProcessors();

    private final KeyValueIterator<String, byte[]> entries;
    private final RowReader reader = new RowReader();
    private final Pool.Restoring restoring = Pool.Restoring.begin();
    private final Deque<ForkJoinTask<List<Row>>> ahead = new ArrayDeque<>();
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
            readAhead();
            var next = ahead.isEmpty() ? List.<Row>of() : ahead.removeFirst().join();
            next.forEach(restoring::add);
            rows += next.size();
        } while (isMore() && System.nanoTime() < until);
        return isMore() ? Optional.empty() : Optional.of(restoring.whole());
    }

    private boolean isMore() {
        return !ahead.isEmpty() || entries.hasNext();
    }

    /** Decoding is most of a takeover: other processors do it while this one takes rows in. */
    private void readAhead() {
        while (ahead.size() < AHEAD && entries.hasNext()) {
            var next = next();
            ahead.addLast(ForkJoinPool.commonPool().submit(() -> decoded(next)));
        }
    }

    private List<KeyValue<String, byte[]>> next() {
        var next = new ArrayList<KeyValue<String, byte[]>>(ROWS_PER_LOOK);
        while (next.size() < ROWS_PER_LOOK && entries.hasNext()) {
            next.add(entries.next());
        }
        return next;
    }

    private List<Row> decoded(List<KeyValue<String, byte[]>> some) {
        return some.stream().map(entry -> reader.row(entry.key, entry.value)).toList();
    }

    int rows() {
        return rows;
    }

    Duration took() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    @Override
    public void close() {
        ahead.forEach(look -> look.cancel(true));
        entries.close();
    }
}
