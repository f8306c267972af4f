package dev.muster.coordinator.history.replay;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.history.log.InboxLog;
import dev.muster.coordinator.history.log.InboxRecord;
import dev.muster.coordinator.history.log.ParkedOffsets;
import dev.muster.coordinator.history.snapshots.Snapshot;
import dev.muster.coordinator.history.snapshots.Snapshots;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.v1.InboxEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The past of one pool: its log, its snapshots, and copies of it as it was at any moment. */
public final class PoolPast implements AutoCloseable {
    private final Map<String, ?> kafka;
    private final String pool;
    private final InboxLog inbox;
    private final Snapshots snapshots;
    private final AvroDeserializer<InboxEvent> events = new AvroDeserializer<>(InboxEvent.class);

    /**
     * @param kafka settings of a client, those of the registry among them
     * @param pool its name
     * @param inbox closed with this
     */
    public PoolPast(Map<String, ?> kafka, String pool, InboxLog inbox) {
        this.kafka = kafka;
        this.pool = pool;
        this.inbox = inbox;
        snapshots = new Snapshots(kafka);
        events.configure(kafka, false);
    }

    /**
     * A copy at the moment that was asked for. It keeps the pool's rows and no more: the log is
     * read a few thousand records at a time, the submissions are forgotten but for what the news of
     * pods are read with, and nothing is made of what would be published.
     *
     * @param snapshot the pool's time of the snapshot that it began with; null: the log's beginning
     * @param records that were fed since then
     * @param stop the record before it at which the pool cannot go on; null: there is none
     */
    public record Arrived(
            PoolCopy copy,
            @Nullable Instant snapshot,
            long records,
            Duration took,
            Finding.@Nullable NotTaken stop) {}

    /** There is nothing to be seen of what was asked for, since the pool cannot go on to it. */
    public static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public StoppedException(String pool, Finding.NotTaken stop) {
            super("pool %s does not come so far: %s".formatted(pool, stop.sentence()));
        }
    }

    /** There is neither a snapshot before that moment nor the log's beginning. */
    public static final class NoBeginningException extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** Of a part of the log within which no snapshot lies. */
        NoBeginningException(String pool, long first, long last) {
            super(
                    "pool %s has no snapshot between record %d, with which its log begins, and its last, %d"
                            .formatted(pool, first, last));
        }

        NoBeginningException(String pool, Instant at, long first) {
            super(
                    "pool %s has no snapshot before %s, and its log begins with record %d"
                            .formatted(pool, at, first));
        }
    }

    public String pool() {
        return pool;
    }

    InboxEvent read(byte[] value) {
        return events.deserialize(Topics.INBOX.name(), value);
    }

    /**
     * The newest whole snapshot before the first record that was appended then or later; null: the
     * log's beginning.
     *
     * @throws NoBeginningException when there is neither
     */
    @Nullable Snapshot start(Instant from) {
        long first = inbox.since(from);
        return reachable(snapshots.newest(pool, inbox.partition(), first, from).orElse(null), from);
    }

    private @Nullable Snapshot reachable(@Nullable Snapshot snapshot, Instant at) {
        long needed = snapshot == null ? 0 : snapshot.offset() + 1;
        if (inbox.first() > needed) {
            throw new NoBeginningException(pool, at, inbox.first());
        }
        return snapshot;
    }

    PoolCopy copy(@Nullable Snapshot start) {
        return new PoolCopy(inbox.partition(), start, this::read, parked(start));
    }

    private SortedSet<Long> parked(@Nullable Snapshot start) {
        return ParkedOffsets.read(
                kafka, pool, inbox.partition(), start == null ? Instant.EPOCH : start.at());
    }

    /** The records that follow on a copy, and lie before an offset. */
    private Iterator<InboxRecord> after(PoolCopy copy, long before) {
        return inbox.between(copy.position() + 1, before);
    }

    private long upTo(Instant time) {
        return time.equals(Instant.MAX) ? inbox.end() : inbox.upTo(time);
    }

    /**
     * The pool when it had taken in all that was appended up to a moment.
     *
     * @throws NoBeginningException when there is no snapshot to begin with
     */
    public Arrived at(Instant time) {
        return arrive(time, upTo(time));
    }

    /**
     * The pool when it had taken in all that the log has, whatever the time is on this machine.
     *
     * @throws NoBeginningException when there is no snapshot to begin with
     */
    public Arrived now() {
        return arrive(null, inbox.end());
    }

    /**
     * The pool just before it took in a record.
     *
     * @param at when it took it in: the pool's time
     * @throws NoBeginningException when there is no snapshot to begin with
     */
    public Arrived before(long offset, Instant at) {
        return arrive(at, offset);
    }

    /**
     * @param time about when that was; null: the last of all records is meant
     * @param before no record from this offset on is taken in
     */
    private Arrived arrive(@Nullable Instant time, long before) {
        long began = System.nanoTime();
        var needs = new KeptSubmissions.Needs(this::read);
        var start =
                reachable(
                        snapshots
                                .newest(
                                        pool,
                                        inbox.partition(),
                                        time == null ? Long.MAX_VALUE : before,
                                        time,
                                        (job, value) -> needs.put(JobId.parse(job), value),
                                        needs::clear)
                                .orElse(null),
                        time == null ? Instant.now() : time);
        var copy = PoolCopy.toBeAsked(inbox.partition(), start, this::read, parked(start), needs);
        var fed = copy.feed(after(copy, before));
        return new Arrived(
                copy,
                start == null ? null : start.at(),
                fed.records(),
                Duration.ofNanos(System.nanoTime() - began),
                fed.stop());
    }

    /**
     * Records of the log.
     *
     * @param first none from this offset on is left out
     */
    public record Part(long first, Iterator<InboxRecord> records) {}

    /**
     * The records that a replay reads: those from a moment on, and before them those that lead from
     * the last snapshot to it.
     *
     * @param from null: all that are kept
     * @param to none behind the last that was appended by then
     * @throws NoBeginningException when a replay from that moment had nothing to begin with
     */
    public Part readBy(@Nullable Instant from, Instant to) {
        var start = from == null ? null : start(from);
        long first = start == null ? inbox.first() : start.offset() + 1;
        return new Part(first, inbox.between(first, upTo(to)));
    }

    /** The record at this offset; null: it is not there. */
    public @Nullable InboxRecord record(long offset) {
        var records = inbox.from(offset);
        var in = records.hasNext() ? records.next() : null;
        return in == null || in.offset() != offset ? null : in;
    }

    /**
     * Replays and compares.
     *
     * @param from records before the first that is not earlier are not compared; null: all are
     * @param to none behind the last that was appended by then
     * @param coreVersion of the rules in this process
     * @param look is shown each record that is compared, and what came of it
     * @throws NoBeginningException when there is no snapshot to begin with
     */
    public Replay.Result replay(
            @Nullable Instant from,
            Instant to,
            String coreVersion,
            BiConsumer<Heard, List<Finding>> look) {
        var start = from == null ? first() : start(from);
        var copy = copy(start);
        var since = start == null ? Instant.EPOCH : start.at();
        var first = from == null ? Instant.EPOCH : from;
        try (var published =
                new Published(kafka, inbox.partition(), first.isAfter(since) ? first : since)) {
            return new Replay(copy, published, coreVersion).run(after(copy, upTo(to)), first, look);
        }
    }

    /**
     * A part of this past.
     *
     * @param from null: its beginning
     * @param to with the last record that was appended by then
     */
    public Stretch stretch(@Nullable Instant from, Instant to) {
        long end = upTo(to);
        return new Stretch(
                pool(),
                () -> copy(from == null ? first() : start(from)),
                copy -> after(copy, end),
                from);
    }

    /** Where all is begun that is kept; null: the log's beginning. */
    private @Nullable Snapshot first() {
        if (inbox.first() == 0) {
            return null;
        }
        var records = inbox.from(inbox.first());
        var appended = records.hasNext() ? records.next().appended() : Instant.EPOCH;
        return snapshots
                .oldest(pool, inbox.partition(), inbox.first(), appended)
                .filter(oldest -> oldest.offset() < inbox.end())
                .orElseThrow(() -> new NoBeginningException(pool, inbox.first(), inbox.end() - 1));
    }

    @Override
    public void close() {
        inbox.close();
        snapshots.close();
        events.close();
    }
}
