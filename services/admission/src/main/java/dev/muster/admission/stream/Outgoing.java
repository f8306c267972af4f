package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.schemas.contract.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record on its way to a partition. */
record Outgoing(Target target, byte @Nullable [] value, List<Arrival.Header> headers) {
    /** The bytes of a record that every topic takes: the rest is what a batch adds. */
    static final int MOST_BYTES = Limits.RECORD_BYTES - (4 << 10);

    /** What a header has at most beside what it says. */
    private static final int HEADER_BYTES = 10;

    Outgoing {
        headers = List.copyOf(headers);
    }

    Outgoing(Target target, byte[] value) {
        this(target, value, List.of());
    }

    /** As far as is known before a client puts it into a batch. */
    long bytes() {
        long bytes = size(target.key()) + size(value);
        for (var header : headers) {
            bytes += HEADER_BYTES + header.key().getBytes(UTF_8).length + size(header.value());
        }
        return bytes;
    }

    private static long size(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    /** Where a record goes; said with its key, since that is what the sink is shown. */
    record Target(String topic, int partition, byte @Nullable [] key) {}
}
