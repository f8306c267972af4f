package dev.muster.coordinator.stream.avro;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.schemas.Topics;
import dev.muster.v1.Parked;
import dev.muster.v1.ParkedHeader;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** An inbox record that is put aside: the decision that says so, and the record, whole. */
public final class Parking {
    /** Beside it stand the headers and the reason; all of it must go into one message of 4 MiB. */
    private static final int MOST_VALUE_BYTES = 3 * 1024 * 1024;

    private static final int MOST_HEADER_BYTES = 256 * 1024;

    private Parking() {}

    /**
     * The decision first, then the record.
     *
     * @param at the pool's time
     */
    public static List<Output> of(
            Origin origin, Record<byte[], byte[]> raw, Instant at, String error) {
        var envelopes = new Envelopes(origin, at);
        var decision = new OutboundDecisions(origin, at, envelopes).parked(error);
        var parked =
                Parked.newBuilder()
                        .setEnvelope(envelopes.plain())
                        .setTopic(Topics.INBOX.name())
                        .setPartition(origin.partition())
                        .setOffset(origin.offset())
                        .setTimestamp(Instant.ofEpochMilli(raw.timestamp()))
                        .setKey(buffer(raw.key()))
                        .setValue(cut(raw.value()))
                        .setHeaders(headers(raw.headers()))
                        .setError(error)
                        .build();
        var key = raw.key() == null ? origin.pool() : new String(raw.key(), UTF_8);
        return List.of(decision, new Output(Topics.PARKED, key, parked));
    }

    /** What does not fit stands in the inbox for its thirty days. */
    private static @Nullable ByteBuffer cut(byte @Nullable [] value) {
        return value == null || value.length <= MOST_VALUE_BYTES
                ? buffer(value)
                : ByteBuffer.wrap(value, 0, MOST_VALUE_BYTES);
    }

    private static List<ParkedHeader> headers(Headers headers) {
        var parked = new ArrayList<ParkedHeader>();
        int size = 0;
        for (var header : headers) {
            size += header.key().length() + (header.value() == null ? 0 : header.value().length);
            if (size > MOST_HEADER_BYTES) {
                break;
            }
            parked.add(new ParkedHeader(header.key(), buffer(header.value())));
        }
        return parked;
    }

    private static @Nullable ByteBuffer buffer(byte @Nullable [] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }
}
