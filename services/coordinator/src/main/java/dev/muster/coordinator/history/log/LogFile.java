package dev.muster.coordinator.history.log;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A pool's inbox in a file: eight letters that say so, the offset from which on it has every record
 * (8 bytes), then of each record its partition (4), offset (8), append time in milliseconds (8),
 * length (4; -1: no value) and value as it was sent. Files of before begin with their first record.
 */
public final class LogFile implements InboxLog {
    private static final byte[] MAGIC = {'m', 'u', 's', 't', 'e', 'r', '-', '2'};

    /** Of files of before. */
    private static final byte[] FIRST_MAGIC = {'m', 'u', 's', 't', 'e', 'r', '-', '1'};

    private static final int LARGEST = 64 << 20;

    private final Path file;
    private final int partition;
    private final long first;
    private final long end;
    private @Nullable DataInputStream open;

    private LogFile(Path file, int partition, long first, long end) {
        this.file = file;
        this.partition = partition;
        this.first = first;
        this.end = end;
    }

    /** Writes records into a file; what was in it before is gone. */
    public static final class Writer implements AutoCloseable {
        private final DataOutputStream out;
        private long written;

        /**
         * @param from no record from this offset on is left out; that of the first one may be a
         *     higher one, since transactions take offsets, too
         */
        public Writer(Path file, long from) throws IOException {
            out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
            out.write(MAGIC);
            out.writeLong(from);
        }

        public void write(InboxRecord in) throws IOException {
            var value = in.value();
            out.writeInt(in.partition());
            out.writeLong(in.offset());
            out.writeLong(in.appended().toEpochMilli());
            out.writeInt(value == null ? -1 : value.length);
            if (value != null) {
                out.write(value);
            }
            written++;
        }

        public long written() {
            return written;
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    /**
     * Looks through a file.
     *
     * @throws IOException when it cannot be read, or is none
     */
    public static LogFile open(Path file) throws IOException {
        try (var opened = reading(file)) {
            var in = opened.in();
            var record = next(in, file);
            if (record == null) {
                throw new IOException(file + " has no record");
            }
            int partition = record.partition();
            long first = opened.from() == null ? record.offset() : opened.from();
            long last = record.offset();
            for (; record != null; record = next(in, file)) {
                if (record.partition() != partition || record.offset() < last) {
                    throw new IOException(
                            "%s is not one pool's inbox: %d-%d follows %d-%d"
                                    .formatted(
                                            file,
                                            record.partition(),
                                            record.offset(),
                                            partition,
                                            last));
                }
                last = record.offset();
            }
            return new LogFile(file, partition, first, last + 1);
        }
    }

    /**
     * A file behind what it begins with.
     *
     * @param from null: it does not say from where it begins
     */
    private record Opened(DataInputStream in, @Nullable Long from) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    private static Opened reading(Path file) throws IOException {
        var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16));
        try {
            var magic = in.readNBytes(MAGIC.length);
            if (Arrays.equals(magic, FIRST_MAGIC)) {
                return new Opened(in, null);
            }
            if (Arrays.equals(magic, MAGIC)) {
                return new Opened(in, in.readLong());
            }
        } catch (EOFException e) {
            in.close();
            throw new IOException(file + " has no record", e);
        }
        in.close();
        throw new IOException(file + " is no log of muster replay --save");
    }

    private static @Nullable InboxRecord next(DataInputStream in, Path file) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        try {
            int partition = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
            long offset = in.readLong();
            var appended = Instant.ofEpochMilli(in.readLong());
            int length = in.readInt();
            if (length > LARGEST) {
                throw new IOException(
                        "%s is damaged: it has a record of %d bytes".formatted(file, length));
            }
            var value = length < 0 ? null : in.readNBytes(length);
            if (value != null && value.length < length) {
                throw new EOFException();
            }
            return new InboxRecord(partition, offset, appended, value);
        } catch (EOFException e) {
            throw new IOException(file + " ends within a record: it was cut", e);
        }
    }

    @Override
    public int partition() {
        return partition;
    }

    @Override
    public long first() {
        return first;
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public long upTo(Instant time) {
        long behind = first;
        for (var records = from(first); records.hasNext(); ) {
            var in = records.next();
            behind = in.appended().isAfter(time) ? behind : in.offset() + 1;
        }
        return behind;
    }

    @Override
    public long since(Instant time) {
        for (var records = from(first); records.hasNext(); ) {
            var in = records.next();
            if (!in.appended().isBefore(time)) {
                return in.offset();
            }
        }
        return end;
    }

    @Override
    public Iterator<InboxRecord> between(long from, long before) {
        close();
        try {
            var in = reading(file).in();
            open = in;
            return new Walk(in, file, from, before);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Walk implements Iterator<InboxRecord> {
        private final DataInputStream in;
        private final Path file;
        private final long before;
        private @Nullable InboxRecord ahead;

        Walk(DataInputStream in, Path file, long from, long before) {
            this.in = in;
            this.file = file;
            this.before = before;
            do {
                ahead = read();
            } while (ahead != null && ahead.offset() < from);
        }

        private @Nullable InboxRecord read() {
            try {
                var record = LogFile.next(in, file);
                return record == null || record.offset() >= before ? null : record;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean hasNext() {
            return ahead != null;
        }

        @Override
        public InboxRecord next() {
            var now = ahead;
            if (now == null) {
                throw new NoSuchElementException();
            }
            ahead = read();
            return now;
        }
    }

    @Override
    public void close() {
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
