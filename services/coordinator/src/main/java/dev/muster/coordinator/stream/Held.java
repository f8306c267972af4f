package dev.muster.coordinator.stream;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Inbox records that a pool cannot take in yet, in order: what comes while it is made from its
 * rows, and what comes to a stopped one. There the first of them is an event of a kind that this
 * version does not know, or one with and without which the rules fail; all that come behind it wait
 * until a version that can take it in takes over.
 *
 * <p>A stopped pool holds for days all that comes. So they stand in the store that is on disk, and
 * of those only the next few offsets are in memory: else one stopped pool would end its process,
 * and with it the other pools there, and whoever takes over.
 */
final class Held {
    private static final String PREFIX = Rows.NO_ROW + "held/";
    private static final String END = PREFIX + "~";

    /**
     * So many are looked for at a time, and so many older ones taken up with each that is added.
     */
    private static final int AT_ONCE = 100;

    private final KeyValueStore<String, byte[]> store;
    private final KeyValueStore<String, byte[]> rows;

    /** Of those that a version left among the rows that held them there, and so in memory. */
    private final Deque<Long> older = new ArrayDeque<>();

    /** The next ones in the store; empty: not looked for since the last of them was removed. */
    private final Deque<Long> ahead = new ArrayDeque<>();

    /** Begins the next look behind what was removed, which the disk still has to pass over. */
    private String from = PREFIX;

    /**
     * Takes up what the stores hold already.
     *
     * @param store on disk
     * @param rows where a former version held them
     */
    Held(KeyValueStore<String, byte[]> store, KeyValueStore<String, byte[]> rows) {
        this.store = store;
        this.rows = rows;
        try (var entries = rows.range(PREFIX, END)) {
            entries.forEachRemaining(entry -> older.add(offset(entry.key)));
        }
    }

    /** Key and headers are not held: what is parked later says less of where it came from. */
    void add(Received in) {
        var value = in.record().value() == null ? new byte[0] : in.record().value();
        var bytes = ByteBuffer.allocate(Long.BYTES + value.length);
        bytes.putLong(in.record().timestamp()).put(value);
        store.put(key(in.offset()), bytes.array());
        takeUpOlder();
    }

    /** Not at the start: nothing can be written to a store before the first record. */
    private void takeUpOlder() {
        for (int taken = 0; taken < AT_ONCE && !older.isEmpty(); taken++) {
            var key = key(older.removeFirst());
            store.put(key, rows.get(key));
            rows.delete(key);
            ahead.clear(); // They come before those.
        }
    }

    Optional<Received> first() {
        if (ahead.isEmpty()) {
            look();
        }
        // What was not taken up yet may come before or behind what was.
        var inStore = ahead.peekFirst();
        var inRows = older.peekFirst();
        if (inRows != null && (inStore == null || inRows < inStore)) {
            return Optional.of(held(inRows, rows));
        }
        return Optional.ofNullable(inStore).map(offset -> held(offset, store));
    }

    private void look() {
        try (var entries = store.range(from, END)) {
            while (ahead.size() < AT_ONCE && entries.hasNext()) {
                ahead.add(offset(entries.next().key));
            }
        }
    }

    private static Received held(long offset, KeyValueStore<String, byte[]> store) {
        var bytes = store.get(key(offset));
        var timestamp = ByteBuffer.wrap(bytes).getLong();
        var value = Arrays.copyOfRange(bytes, Long.BYTES, bytes.length);
        return new Received(offset, new Record<>(null, value, timestamp));
    }

    /** Removes the first. */
    void remove(Received in) {
        if (older.remove(in.offset())) {
            rows.delete(key(in.offset()));
        } else {
            store.delete(key(in.offset()));
            ahead.remove(in.offset());
        }
        from = key(in.offset() + 1);
    }

    private static String key(long offset) {
        return "%s%019d".formatted(PREFIX, offset);
    }

    private static long offset(String key) {
        return Long.parseLong(key.substring(PREFIX.length()));
    }
}
