package dev.muster.admission.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record as it came, with nothing read yet.
 *
 * @param timestamp of the record, in milliseconds
 * @param received when admission first saw it, by its own clock
 */
record Arrival(
        String topic,
        int partition,
        long offset,
        long timestamp,
        Instant received,
        byte @Nullable [] keyBytes,
        byte @Nullable [] value,
        List<Header> headers) {

    /** Clocks of two machines differ by less. */
    private static final Duration APART = Duration.ofMinutes(1);

    /** What came by a clock that was ahead has waited long enough. */
    Arrival asOf(Instant now) {
        return received.isAfter(now.plus(APART))
                ? new Arrival(
                        topic,
                        partition,
                        offset,
                        timestamp,
                        Instant.EPOCH,
                        keyBytes,
                        value,
                        headers)
                : this;
    }

    /** A header of the record. */
    record Header(String key, byte @Nullable [] value)
            implements org.apache.kafka.common.header.Header {}

    Arrival {
        headers = List.copyOf(headers);
    }

    /** Empty where the record has none. */
    String key() {
        return keyBytes == null ? "" : new String(keyBytes, UTF_8);
    }

    /** As it is kept while it waits. */
    byte[] toRow() {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeUTF(topic);
            out.writeInt(partition);
            out.writeLong(offset);
            out.writeLong(timestamp);
            out.writeLong(received.toEpochMilli());
            write(out, keyBytes);
            write(out, value);
            out.writeInt(headers.size());
            for (var header : headers) {
                write(out, header.key().getBytes(UTF_8));
                write(out, header.value());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    static Arrival ofRow(byte[] row) {
        try (var in = new DataInputStream(new ByteArrayInputStream(row))) {
            var topic = in.readUTF();
            var partition = in.readInt();
            var offset = in.readLong();
            var timestamp = in.readLong();
            var received = Instant.ofEpochMilli(in.readLong());
            var key = read(in);
            var value = read(in);
            var headers = new ArrayList<Header>();
            for (int left = in.readInt(); left > 0; left--) {
                var name = read(in);
                headers.add(new Header(name == null ? "" : new String(name, UTF_8), read(in)));
            }
            return new Arrival(topic, partition, offset, timestamp, received, key, value, headers);
        } catch (IOException e) {
            throw new UncheckedIOException("a row of a record set aside is cut short", e);
        }
    }

    private static void write(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
        out.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    private static byte @Nullable [] read(DataInputStream in) throws IOException {
        var length = in.readInt();
        return length < 0 ? null : in.readNBytes(length);
    }
}
