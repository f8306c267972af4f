package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.kafka.streams.state.KeyValueStore;

/** The arrivals that wait, per key in their order. */
final class DeferredArrivals {
    private final KeyValueStore<String, byte[]> rows;
    private final TreeSet<String> waiting = new TreeSet<>();

    /** Takes up what the store holds already. */
    DeferredArrivals(KeyValueStore<String, byte[]> rows) {
        this.rows = rows;
        try (var all = rows.all()) {
            all.forEachRemaining(row -> waiting.add(Arrival.ofRow(row.value).key()));
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    boolean holds(String key) {
        return waiting.contains(key);
    }

    /** A copy: what is done with leaves while one walks over it. */
    List<String> keys() {
        return List.copyOf(waiting);
    }

    /** The record that keeps it has its key twice. */
    static boolean takes(Arrival arrival) {
        return rowKey(arrival).getBytes(UTF_8).length + arrival.toRow().length
                <= Outgoing.MOST_BYTES;
    }

    void add(Arrival arrival) {
        rows.put(rowKey(arrival), arrival.toRow());
        waiting.add(arrival.key());
    }

    /** Removes what is {@code done} with, in order, up to the first that is not. */
    void release(String key, Predicate<Arrival> done) {
        try (var range = rows.range(prefix(key), prefix(key) + Character.MAX_VALUE)) {
            while (range.hasNext()) {
                var row = range.next();
                if (!done.test(Arrival.ofRow(row.value))) {
                    return;
                }
                rows.delete(row.key);
            }
        }
        waiting.remove(key);
    }

    private static String rowKey(Arrival arrival) {
        return prefix(arrival.key()) + "%019d".formatted(arrival.offset());
    }

    /** The length comes first, so that no key is the beginning of another. */
    private static String prefix(String key) {
        return key.length() + ":" + key + ":";
    }
}
