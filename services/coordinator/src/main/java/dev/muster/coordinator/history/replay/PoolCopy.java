package dev.muster.coordinator.history.replay;

import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.Waiting;
import dev.muster.coordinator.history.log.InboxRecord;
import dev.muster.coordinator.history.snapshots.Snapshot;
import dev.muster.coordinator.stream.avro.Inbound;
import dev.muster.coordinator.stream.avro.Origin;
import dev.muster.coordinator.stream.avro.Outbound;
import dev.muster.coordinator.stream.avro.Output;
import dev.muster.coordinator.stream.avro.QueueReasons;
import dev.muster.coordinator.stream.avro.UnknownKindException;
import dev.muster.coordinator.stream.avro.UnusableEventException;
import dev.muster.coordinator.stream.rows.RowCodec;
import dev.muster.coordinator.stream.rows.RowKeys;
import dev.muster.coordinator.stream.rows.RowReader;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SequencedSet;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * A pool beside the coordinator's: fed with the same inbox it becomes the same, and says what it
 * would have published.
 */
public final class PoolCopy {
    private final int number;
    private final InboxReader reader;
    private final SortedSet<Long> parked;
    private final Map<Row.Key, Row> rows = new LinkedHashMap<>();
    private final KeptSubmissions submissions;
    private final QueueReasons reasons = this::reason;
    private final Inbound inbound;
    private Pool pool;
    private final SequencedSet<String> versions = new LinkedHashSet<>();
    private @Nullable Ahead ahead;
    private long position;
    private String name;

    /**
     * What a copy was fed with.
     *
     * @param stop the record at which it can go on no more; null: there was none
     */
    public record Fed(long records, Finding.@Nullable NotTaken stop) {}

    /** A record that was read before it is taken. */
    private record Ahead(long offset, InboxEvent message) {}

    /** Inbox records as messages. */
    @FunctionalInterface
    public interface InboxReader {
        /**
         * @throws SerializationException when the bytes are none
         */
        InboxEvent read(byte[] value);
    }

    /**
     * A copy that says what the coordinator publishes.
     *
     * @param number of the pool
     * @param start where it begins; null: before the first record of all
     * @param parked offsets of records that the coordinator parked
     */
    public PoolCopy(
            int number, @Nullable Snapshot start, InboxReader reader, SortedSet<Long> parked) {
        this(number, start, reader, parked, new KeptSubmissions.Whole(reader));
    }

    private PoolCopy(
            int number,
            @Nullable Snapshot start,
            InboxReader reader,
            SortedSet<Long> parked,
            KeptSubmissions submissions) {
        this.number = number;
        this.reader = reader;
        this.parked = parked;
        this.submissions = submissions;
        inbound = new Inbound(submissions);
        if (start == null) {
            position = -1;
            name = "";
            pool = Pool.empty();
        } else {
            position = start.offset();
            name = start.pool();
            var rowReader = new RowReader();
            start.rows()
                    .forEach((key, value) -> {
                        var row = rowReader.row(key, value);
                        rows.put(row.key(), row);
                    });
            start.specs().forEach((job, value) -> submissions.put(JobId.parse(job), value));
            pool = Pool.restore(List.copyOf(rows.values()));
        }
    }

    /**
     * A copy that is asked how things stand, and says nothing of what the coordinator publishes.
     *
     * @param start where it begins; null: before the first record of all
     */
    public static PoolCopy toBeAsked(
            int number, @Nullable Snapshot start, InboxReader reader, SortedSet<Long> parked) {
        return toBeAsked(number, start, reader, parked, new KeptSubmissions.Needs(reader));
    }

    /**
     * The same.
     *
     * @param start may be without its submissions
     * @param needs what is needed of those
     */
    static PoolCopy toBeAsked(
            int number,
            @Nullable Snapshot start,
            InboxReader reader,
            SortedSet<Long> parked,
            KeptSubmissions.Needs needs) {
        return new PoolCopy(number, start, reader, parked, needs);
    }

    /** The pool as it is now: to be asked, not to be told. */
    public Pool pool() {
        return pool;
    }

    /** Of the pool. */
    public int number() {
        return number;
    }

    /** Offset of the last record that was taken; -1: none was. */
    public long position() {
        return position;
    }

    /** The version of the core that decides, as the inbox said; empty: it has not. */
    public String coreVersion() {
        return rows.get(new Row.Key(Row.Table.SETTINGS, "")) instanceof Settings settings
                ? settings.coreVersion()
                : "";
    }

    /** Whose rules decided what this was fed with, each version once. */
    public List<String> versions() {
        return List.copyOf(versions);
    }

    /** The version of the core that decides from a record on; null: it does not say one. */
    public @Nullable String versionIn(InboxRecord in) {
        if (parked.contains(in.offset()) || in.value() == null) {
            return null;
        }
        try {
            var message = reader.read(in.value());
            ahead = new Ahead(in.offset(), message);
            var told = message.getCoreVersion();
            return message.getKind() == InboxKind.CORE_VERSION && told != null
                    ? told.getVersion()
                    : null;
        } catch (SerializationException e) {
            return null; // It is told when it is taken.
        }
    }

    private InboxEvent message(InboxRecord in) {
        var read = ahead;
        return read != null && read.offset() == in.offset()
                ? read.message()
                : reader.read(in.value() == null ? new byte[0] : in.value());
    }

    /** One row as it is now; null: there is none. */
    public @Nullable Row row(Row.Key key) {
        return rows.get(key);
    }

    /** The rows as they are now. */
    public Stream<Row> rows() {
        return rows.values().stream();
    }

    /** Takes the next record. After one that it cannot take it stands as before that one. */
    public Heard take(InboxRecord in) {
        position = in.offset();
        if (parked.contains(in.offset())) {
            return new Heard.Parked(in);
        }
        InboxEvent message;
        Event event;
        try {
            message = message(in);
            event = inbound.event(message);
        } catch (SerializationException | UnusableEventException | UnknownKindException e) {
            return new Heard.Unusable(in, String.valueOf(e.getMessage()));
        }
        var submitted = event instanceof Event.Submitted(var job, _, _) && isNew(job) ? job : null;
        if (submitted != null && in.value() != null) {
            submissions.put(submitted, message.getJobSubmitted(), in.value());
        }
        Step step;
        List<Output> outputs;
        try {
            step = pool.on(event, in.appended());
            outputs = outputs(in, message, step);
        } catch (RetriableException e) {
            throw e; // Of the registry, which says nothing of the pool.
        } catch (RuntimeException | StackOverflowError e) {
            if (submitted != null) {
                submissions.remove(submitted);
            }
            return failed(in, e);
        }
        if (!(event instanceof Event.CoreVersion) && !coreVersion().isEmpty()) {
            versions.add(coreVersion());
        }
        apply(step);
        name = pool.name() == null ? name : String.valueOf(pool.name());
        return new Heard.Taken(in, message, event, step, outputs);
    }

    /**
     * The first record that it took in and the coordinator did not.
     *
     * @param known offsets of records that the coordinator parked, as far as is known by now
     */
    public OptionalLong tookThoughParked(SortedSet<Long> known) {
        return known.stream()
                .filter(offset -> offset <= position && !parked.contains(offset))
                .mapToLong(Long::longValue)
                .findFirst();
    }

    /** The pool may be half changed: its rows are not. */
    private Heard.Unusable failed(InboxRecord in, Throwable cause) {
        pool = Pool.restore(List.copyOf(rows.values()));
        return new Heard.Unusable(in, "the rules fail: " + cause);
    }

    /** Takes one record after the other, until one cannot be taken. */
    public Fed feed(Iterator<InboxRecord> records) {
        long fed = 0;
        for (; records.hasNext(); fed++) {
            if (take(records.next()) instanceof Heard.Unusable unusable) {
                return new Fed(fed, unusable.finding());
            }
        }
        return new Fed(fed, null);
    }

    /** As the coordinator keeps them: of a job of which nothing was heard. */
    private boolean isNew(JobId job) {
        return !rows.containsKey(new Row.Key(Row.Table.JOB, job.toString()));
    }

    private List<Output> outputs(InboxRecord in, InboxEvent message, Step step) {
        if (step.effects().isEmpty() || submissions instanceof KeptSubmissions.Needs) {
            return List.of();
        }
        var origin = Origin.of(name, number, in.offset(), message);
        return new Outbound(origin, pool.now(), submissions, reasons).records(step);
    }

    private void apply(Step step) {
        for (var change : step.changes()) {
            var row = change.row();
            if (row != null) {
                rows.put(change.key(), row);
            } else {
                rows.remove(change.key());
            }
        }
        for (var effect : step.effects()) {
            if (effect instanceof Effect.DropSpec(var job)) {
                submissions.remove(job);
            }
        }
    }

    private @Nullable WaitReason reason(String queue) {
        return rows.get(new Row.Key(Row.Table.QUEUE, queue)) instanceof Queue row
                ? row.reason()
                : null;
    }

    /**
     * All that it is now.
     *
     * @param coreVersion of the rules in this process
     */
    public Snapshot snapshot(String coreVersion) {
        var encoded = new TreeMap<String, byte[]>();
        rows.forEach((key, row) -> encoded.put(RowKeys.of(key), RowCodec.encode(row)));
        var living = new TreeMap<String, byte[]>();
        var waiting = waiting();
        submissions
                .records()
                .forEach((job, value) -> {
                    if (waiting.contains(job)
                            || rows.containsKey(new Row.Key(Row.Table.JOB, job.toString()))) {
                        living.put(job.toString(), value);
                    }
                });
        return new Snapshot(name, position, pool.now(), coreVersion, encoded, living);
    }

    /** Jobs whose submission waits behind other work. */
    private SortedSet<JobId> waiting() {
        var waiting = new TreeSet<JobId>();
        rows.values()
                .forEach(row -> {
                    if (row instanceof Waiting(_, Event.Submitted(var job, _, _))) {
                        waiting.add(job);
                    }
                });
        return waiting;
    }
}
