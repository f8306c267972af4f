package dev.muster.coordinator.stream;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Inbox records that a pool cannot take in yet, in order: what comes while it is made from its
 * rows, and what comes to a stopped one. There an event of a kind that this version does not know
 * is the first of them; all that come behind it wait until a version that knows it takes over.
 */
final class Held {
    private static final String PREFIX = Rows.NO_ROW + "held/";
    private static final String END = PREFIX + "~";

    private final KeyValueStore<String, byte[]> store;

    Held(KeyValueStore<String, byte[]> store) {
        this.store = store;
    }

    /** Key and headers are not held: what is parked later says less of where it came from. */
    void add(Received in) {
        var value = in.record().value() == null ? new byte[0] : in.record().value();
        var bytes = ByteBuffer.allocate(Long.BYTES + value.length);
        bytes.putLong(in.record().timestamp()).put(value);
        store.put(key(in.offset()), bytes.array());
    }

    Optional<Received> first() {
        try (var entries = store.range(PREFIX, END)) {
            if (!entries.hasNext()) {
                return Optional.empty();
            }
            var entry = entries.next();
            var offset = Long.parseLong(entry.key.substring(PREFIX.length()));
            var timestamp = ByteBuffer.wrap(entry.value).getLong();
            var value = Arrays.copyOfRange(entry.value, Long.BYTES, entry.value.length);
            return Optional.of(new Received(offset, new Record<>(null, value, timestamp)));
        }
    }

    void remove(Received in) {
        store.delete(key(in.offset()));
    }

    private static String key(long offset) {
        return "%s%019d".formatted(PREFIX, offset);
    }
}
