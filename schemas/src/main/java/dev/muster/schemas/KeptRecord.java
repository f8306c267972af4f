package dev.muster.schemas;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.v1.ParkedHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a record that nobody can take in: the whole, as far as that goes into one record
 * of 4 MiB beside the reason. What does not stands where it came from, for as long as it is kept
 * there.
 */
public record KeptRecord(
        @Nullable ByteBuffer key,
        @Nullable ByteBuffer value,
        List<ParkedHeader> headers,
        boolean isWhole) {
    private static final int MOST_KEY_BYTES = 128 << 10;
    private static final int MOST_VALUE_BYTES = 3 << 20;
    private static final int MOST_HEADER_BYTES = 256 << 10;

    /** So much is counted of each header beside what it says. */
    private static final int HEADER_BYTES = 16;

    public KeptRecord {
        headers = List.copyOf(headers);
    }

    public static KeptRecord of(
            byte @Nullable [] key, byte @Nullable [] value, Iterable<? extends Header> headers) {
        var kept = new ArrayList<ParkedHeader>();
        int size = 0;
        boolean isWhole = isKept(key, MOST_KEY_BYTES) && isKept(value, MOST_VALUE_BYTES);
        for (var header : headers) {
            var said = header.value();
            size += HEADER_BYTES + header.key().getBytes(UTF_8).length;
            size += said == null ? 0 : said.length;
            if (size > MOST_HEADER_BYTES) {
                isWhole = false;
                break;
            }
            kept.add(new ParkedHeader(header.key(), said == null ? null : ByteBuffer.wrap(said)));
        }
        return new KeptRecord(
                cut(key, MOST_KEY_BYTES), cut(value, MOST_VALUE_BYTES), kept, isWhole);
    }

    private static boolean isKept(byte @Nullable [] bytes, int most) {
        return bytes == null || bytes.length <= most;
    }

    /** The key under which it is parked: its own, or a part of that; null: it has none. */
    public @Nullable String parkedKey() {
        return key == null ? null : UTF_8.decode(key.duplicate()).toString();
    }

    /** Why it is parked, and whether this is all of it. */
    public String because(String error) {
        return isWhole ? error : error + "; a part of it is kept here";
    }

    private static @Nullable ByteBuffer cut(byte @Nullable [] bytes, int most) {
        return bytes == null ? null : ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, most));
    }
}
