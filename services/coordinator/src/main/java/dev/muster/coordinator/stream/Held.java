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
 */
final class Held {
    private static final String PREFIX = Rows.NO_ROW + "held/";
    private static final String END = PREFIX + "~";

    private final KeyValueStore<String, byte[]> store;

    /** Looked for once: a store copies all keys of a range whose first one is asked for. */
    private final Deque<Long> offsets = new ArrayDeque<>();

    /** Takes up what the store holds already. */
    Held(KeyValueStore<String, byte[]> store) {
        this.store = store;
        try (var entries = store.range(PREFIX, END)) {
            entries.forEachRemaining(
                    entry -> offsets.add(Long.parseLong(entry.key.substring(PREFIX.length()))));
        }
    }

    /** Key and headers are not held: what is parked later says less of where it came from. */
    void add(Received in) {
        var value = in.record().value() == null ? new byte[0] : in.record().value();
        var bytes = ByteBuffer.allocate(Long.BYTES + value.length);
        bytes.putLong(in.record().timestamp()).put(value);
        store.put(key(in.offset()), bytes.array());
        offsets.add(in.offset());
    }

    Optional<Received> first() {
        return Optional.ofNullable(offsets.peekFirst()).map(this::held);
    }

    private Received held(long offset) {
        var bytes = store.get(key(offset));
        var timestamp = ByteBuffer.wrap(bytes).getLong();
        var value = Arrays.copyOfRange(bytes, Long.BYTES, bytes.length);
        return new Received(offset, new Record<>(null, value, timestamp));
    }

    void remove(Received in) {
        store.delete(key(in.offset()));
        offsets.remove(in.offset());
    }

    private static String key(long offset) {
        return "%s%019d".formatted(PREFIX, offset);
    }
}
