package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.kafka.streams.state.KeyValueStore;

/** The arrivals of one topic that wait, per line in their order. */
final class DeferredArrivals {
    private final KeyValueStore<String, byte[]> rows;
    private final String ours;
    private final TreeSet<String> waiting = new TreeSet<>();

    /**
     * Takes up what the store holds of the topic already.
     *
     * @param rows where other topics may have theirs, too
     */
    DeferredArrivals(KeyValueStore<String, byte[]> rows, String topic) {
        this.rows = rows;
        this.ours = topic + ":";
        try (var all = rows.range(ours, ours + Character.MAX_VALUE)) {
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
    boolean takes(String line, Arrival arrival) {
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

    private String rowKey(String line, Arrival arrival) {
        return prefix(line) + "%019d".formatted(arrival.offset());
    }

    /** The length comes first, so that no line is the beginning of another. */
    private String prefix(String line) {
        return ours + line.length() + ":" + line + ":";
    }

    private String lineOf(String rowKey) {
        int colon = rowKey.indexOf(':', ours.length());
        int length = Integer.parseInt(rowKey.substring(ours.length(), colon));
        return rowKey.substring(colon + 1, colon + 1 + length);
    }
}
