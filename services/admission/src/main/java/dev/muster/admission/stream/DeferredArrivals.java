package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.kafka.streams.state.KeyValueStore;

/** The arrivals that wait, per line in their order. */
final class DeferredArrivals {
    private final KeyValueStore<String, byte[]> rows;
    private final TreeSet<String> waiting = new TreeSet<>();

    /** Takes up what the store holds already. */
    DeferredArrivals(KeyValueStore<String, byte[]> rows) {
        this.rows = rows;
        try (var all = rows.all()) {
            all.forEachRemaining(row -> waiting.add(lineOf(row.key)));
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    boolean holds(String line) {
        return waiting.contains(line);
    }

    /** A copy: what is done with leaves while one walks over it. */
    List<String> lines() {
        return List.copyOf(waiting);
    }

    /** The record that keeps it has its key twice. */
    static boolean takes(String line, Arrival arrival) {
        return rowKey(line, arrival).getBytes(UTF_8).length + arrival.toRow().length
                <= Outgoing.MOST_BYTES;
    }

    void add(String line, Arrival arrival) {
        rows.put(rowKey(line, arrival), arrival.toRow());
        waiting.add(line);
    }

    /** Removes what is {@code done} with, in order, up to the first that is not. */
    void release(String line, Predicate<Arrival> done) {
        try (var range = rows.range(prefix(line), prefix(line) + Character.MAX_VALUE)) {
            while (range.hasNext()) {
                var row = range.next();
                if (!done.test(Arrival.ofRow(row.value))) {
                    return;
                }
                rows.delete(row.key);
            }
        }
        waiting.remove(line);
    }

    private static String rowKey(String line, Arrival arrival) {
        return prefix(line) + "%019d".formatted(arrival.offset());
    }

    /** The length comes first, so that no line is the beginning of another. */
    private static String prefix(String line) {
        return line.length() + ":" + line + ":";
    }

    private static String lineOf(String rowKey) {
        int begin = rowKey.indexOf(':') + 1;
        return rowKey.substring(begin, begin + Integer.parseInt(rowKey.substring(0, begin - 1)));
    }
}
