package dev.muster.coordinator.history.snapshots;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.coordinator.history.log.TopicReader;
import dev.muster.coordinator.history.snapshots.WholeSnapshots.Extent;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.v1.SnapshotRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The snapshots that are kept, from topic snapshots: all of one pool lie in one partition. */
public final class Snapshots implements AutoCloseable {
    /** Older ones are looked for in ever larger steps back. */
    private static final Duration FIRST_STEP = Duration.ofHours(3);

    private static final int LARGER = 4;
    private static final Duration LONGEST_STEP = Duration.ofDays(365);

    private final TopicReader reader;
    private final AvroDeserializer<SnapshotRecord> values =
            new AvroDeserializer<>(SnapshotRecord.class);
    private final List<String> damaged = new ArrayList<>();

    /**
     * @param kafka settings of a client, those of the registry among them
     */
    public Snapshots(Map<String, ?> kafka) {
        this(new TopicReader(kafka), kafka);
    }

    /**
     * @param reader closed with this
     * @param kafka settings of the registry
     */
    Snapshots(TopicReader reader, Map<String, ?> kafka) {
        this.reader = reader;
        values.configure(kafka, false);
    }

    private static TopicPartition partition(int pool) {
        return new TopicPartition(Topics.SNAPSHOTS.name(), SnapshotWriter.partition(pool));
    }

    /**
     * The newest whole one, whatever the time is on this machine; one that is damaged is passed
     * over.
     *
     * @param number of the pool
     */
    public Optional<Snapshot> newest(String pool, int number) {
        return newest(pool, number, Long.MAX_VALUE, null);
    }

    /**
     * The newest whole one that does not include a record of the inbox, nor a later one.
     *
     * @param about when that record was appended; null: all are looked at
     */
    public Optional<Snapshot> newest(
            String pool, int number, long before, @Nullable Instant about) {
        var specs = new TreeMap<String, byte[]>();
        return newest(pool, number, before, about, specs::put, specs::clear)
                .map(snapshot -> snapshot.with(specs));
    }

    /**
     * The same without its submissions. Times say only where to look: they are the pools' own, and
     * any of them may be ahead.
     *
     * @param specs takes each of them as it is read
     * @param none is called before the first of each snapshot that is tried: what was taken before
     *     is of one that is damaged
     */
    public Optional<Snapshot> newest(
            String pool,
            int number,
            long before,
            @Nullable Instant about,
            BiConsumer<String, byte[]> specs,
            Runnable none) {
        var partition = partition(number);
        long beginning = reader.beginning(partition);
        long end = reader.end(partition);
        long until = about == null ? Long.MAX_VALUE : about.plus(TopicReader.AHEAD).toEpochMilli();
        var near = about == null ? Instant.now() : about;
        var step = FIRST_STEP;
        long from = end;
        while (from > beginning) {
            from = Math.max(beginning, Math.min(end, reader.at(partition, near.minus(step))));
            for (var found = walk(partition, pool, from, end).last(before, until);
                    found != null;
                    found = walk(partition, pool, from, end).last(before, until)) {
                none.run();
                var snapshot = undamaged(partition, found, pool, specs);
                if (snapshot != null) {
                    return Optional.of(snapshot);
                }
                end = found.from();
            }
            if (step.compareTo(LONGEST_STEP) > 0) {
                break;
            }
            step = step.multipliedBy(LARGER);
        }
        return Optional.empty();
    }

    private @Nullable Snapshot undamaged(
            TopicPartition partition, Extent found, String pool, BiConsumer<String, byte[]> specs) {
        try {
            return read(partition, found, pool, specs);
        } catch (DamagedException e) {
            damaged.add(e.getMessage());
            return null;
        }
    }

    /** What was passed over, in words. */
    public List<String> damaged() {
        return List.copyOf(damaged);
    }

    /** The rows are not those that were written. */
    private static final class DamagedException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        DamagedException(String message) {
            super(message);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    /**
     * The oldest whole one from which a log goes on; where the log's beginning is gone a replay
     * begins with it. Snapshots are kept for longer than the log: many are older than all of it.
     *
     * @param first record of the log that is kept
     * @param appended about when
     */
    public Optional<Snapshot> oldest(String pool, int number, long first, Instant appended) {
        var partition = partition(number);
        long beginning = reader.beginning(partition);
        long end = reader.end(partition);
        var step = FIRST_STEP;
        while (true) {
            long hint = reader.at(partition, appended.minus(step));
            long from = Math.max(beginning, Math.min(end, hint));
            var all = walk(partition, pool, from, end);
            var found = all.next(first - 1);
            // Between the one found and one that is too old there is none.
            if (all.hasPassed() || from == beginning || step.compareTo(LONGEST_STEP) > 0) {
                var next = found;
                while (next != null) {
                    var specs = new TreeMap<String, byte[]>();
                    var snapshot = undamaged(partition, next, pool, specs::put);
                    if (snapshot != null) {
                        return Optional.of(snapshot.with(specs));
                    }
                    next = walk(partition, pool, next.to(), end).next(first - 1);
                }
                return Optional.empty();
            }
            step = step.multipliedBy(LARGER);
        }
    }

    private WholeSnapshots walk(TopicPartition partition, String pool, long from, long to) {
        return new WholeSnapshots(
                pool,
                value -> values.deserialize(Topics.SNAPSHOTS.name(), value),
                reader.read(partition, from, to));
    }

    private static boolean isOf(ConsumerRecord<byte[], byte[]> in, String pool) {
        return new String(in.key(), UTF_8).startsWith(pool + "/");
    }

    private Snapshot read(
            TopicPartition partition,
            Extent extent,
            String pool,
            BiConsumer<String, byte[]> specs) {
        var rows = new TreeMap<String, byte[]>();
        var digest = new SnapshotDigest();
        SnapshotRecord last = null;
        for (var records = reader.read(partition, extent.from(), extent.to());
                records.hasNext(); ) {
            var in = records.next();
            var value =
                    isOf(in, pool) ? values.deserialize(Topics.SNAPSHOTS.name(), in.value()) : null;
            if (value == null || value.getNumber() != extent.number()) {
                continue;
            }
            var row = value.getRow();
            if (row != null) {
                var key = UTF_8.decode(row.getKey().duplicate()).toString();
                var bytes = bytes(row.getValue());
                digest.add(key, bytes);
                if (row.getStore().equals(SnapshotWriter.SPECS)) {
                    specs.accept(key, bytes);
                } else {
                    rows.put(key, bytes);
                }
            }
            last = value;
        }
        return whole(last, rows, digest);
    }

    private static Snapshot whole(
            @Nullable SnapshotRecord last, TreeMap<String, byte[]> rows, SnapshotDigest digest) {
        var complete = last == null ? null : last.getComplete();
        if (last == null || complete == null) {
            throw new DamagedException("a snapshot ends without its last record");
        }
        var sum = digest.text();
        if (digest.size() != complete.getRows() || !sum.equals(complete.getDigest())) {
            throw new DamagedException(
                    "snapshot %d of pool %s is damaged: %d rows with digest %s, %d with %s were written"
                            .formatted(
                                    last.getNumber(),
                                    last.getPool(),
                                    digest.size(),
                                    sum,
                                    complete.getRows(),
                                    complete.getDigest()));
        }
        return new Snapshot(
                last.getPool(),
                complete.getOffset(),
                last.getEnvelope().getAt(),
                complete.getCoreVersion(),
                rows,
                new TreeMap<>());
    }

    private static byte[] bytes(ByteBuffer buffer) {
        var bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    @Override
    public void close() {
        reader.close();
        values.close();
    }
}
