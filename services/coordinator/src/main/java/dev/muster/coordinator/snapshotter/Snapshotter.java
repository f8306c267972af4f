package dev.muster.coordinator.snapshotter;

import dev.muster.coordinator.history.log.InboxRecord;
import dev.muster.coordinator.history.log.InboxTopic;
import dev.muster.coordinator.history.log.ParkedOffsets;
import dev.muster.coordinator.history.log.PoolNumbers;
import dev.muster.coordinator.history.replay.Heard;
import dev.muster.coordinator.history.replay.PoolCopy;
import dev.muster.coordinator.history.replay.RuleVersions;
import dev.muster.coordinator.history.snapshots.SnapshotWriter;
import dev.muster.coordinator.history.snapshots.Snapshots;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.v1.InboxEvent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a snapshot of every pool: goes on from the newest one through the inbox, as far as the
 * coordinator has come.
 */
public final class Snapshotter {
    private static final Logger log = LoggerFactory.getLogger(Snapshotter.class);

    private final Map<String, Object> kafka;
    private final String group;
    private final String coreVersion;
    private final boolean anyVersion;

    /**
     * @param kafka settings of a client, those of the registry among them
     * @param group of the coordinator
     * @param coreVersion of the rules in this process
     * @param anyVersion what rules of other versions decided is taken to be what these decide
     */
    public Snapshotter(
            Map<String, Object> kafka, String group, String coreVersion, boolean anyVersion) {
        this.kafka = Map.copyOf(kafka);
        this.group = group;
        this.coreVersion = coreVersion;
        this.anyVersion = anyVersion;
    }

    /**
     * Writes one snapshot of each pool that the coordinator has heard anything of. No pool keeps
     * the others from theirs.
     *
     * @return what became of each pool's
     */
    public SortedMap<String, SnapshotOutcome> run() {
        var outcomes = new TreeMap<String, SnapshotOutcome>();
        // First how far it has come: nearly all that it parked until then is to be read afterwards.
        var next = takenIn();
        PoolNumbers.read(kafka)
                .forEach((pool, number) -> {
                    var end = next.get(new TopicPartition(Topics.INBOX.name(), number));
                    if (end != null && end > 0) {
                        outcomes.put(pool, tried(pool, number, end));
                    }
                });
        return outcomes;
    }

    private SnapshotOutcome tried(String pool, int number, long end) {
        try {
            return write(pool, number, end);
        } catch (RuntimeException | StackOverflowError e) {
            log.atError().addKeyValue("pool", pool).setCause(e).log("NO SNAPSHOT: it failed");
            return new SnapshotOutcome.Failed(e.toString());
        }
    }

    /** The offsets behind what the coordinator has taken in: it commits them with what it did. */
    private Map<TopicPartition, Long> takenIn() {
        try (var admin = Admin.create(kafka)) {
            var offsets = new LinkedHashMap<TopicPartition, Long>();
            admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .forEach((partition, offset) -> {
                        if (offset != null) {
                            offsets.put(partition, offset.offset());
                        }
                    });
            return offsets;
        } catch (ExecutionException e) {
            throw new KafkaException("the coordinator's offsets cannot be read", e);
        } catch (InterruptedException e) {
            throw new KafkaException("interrupted", e);
        }
    }

    private SnapshotOutcome write(String pool, int number, long end) {
        try (var snapshots = new Snapshots(kafka);
                var inbox = new InboxTopic(kafka, number);
                var reader = new AvroDeserializer<>(InboxEvent.class);
                var writer = new SnapshotWriter(kafka)) {
            reader.configure(kafka, false);
            var start = snapshots.newest(pool, number).orElse(null);
            snapshots
                    .damaged()
                    .forEach(why ->
                            log.atError()
                                    .addKeyValue("pool", pool)
                                    .addKeyValue("why", why)
                                    .log("a damaged snapshot is passed over"));
            long from = start == null ? 0 : start.offset() + 1;
            if (inbox.first() > from) {
                log.atError()
                        .addKeyValue("pool", pool)
                        .addKeyValue("needed", from)
                        .addKeyValue("kept", inbox.first())
                        .log("NO SNAPSHOT: the inbox was cleaned before it was read");
                return new SnapshotOutcome.Failed("the inbox was cleaned before it was read");
            }
            var since = start == null ? Instant.EPOCH : start.at();
            var parked = ParkedOffsets.read(kafka, pool, number, since);
            var copy =
                    new PoolCopy(
                            number,
                            start,
                            value -> reader.deserialize(Topics.INBOX.name(), value),
                            parked);
            return switch (follow(pool, copy, inbox, end)) {
                case SnapshotOutcome.Failed failed -> failed;
                case SnapshotOutcome.OtherVersion(var version, var other, _) -> {
                    // Of what it was fed with before any version was told, all is that one's.
                    boolean isNews = other > from && copy.coreVersion().equals(coreVersion);
                    var until = isNews ? written(pool, copy, writer, from, since) : null;
                    tellOther(pool, version, other);
                    yield new SnapshotOutcome.OtherVersion(
                            version,
                            other,
                            until instanceof SnapshotOutcome.Written all ? all : null);
                }
                case SnapshotOutcome.Written written -> written;
                case null -> written(pool, copy, writer, from, since);
            };
        }
    }

    /**
     * Also of a pool that was told nothing since: else its last one would go with time, and what
     * came before it is gone by then.
     *
     * <p>The offsets of a pool that is being made anew run ahead of what it parks.
     */
    private SnapshotOutcome written(
            String pool, PoolCopy copy, SnapshotWriter writer, long from, Instant since) {
        var snapshot = copy.snapshot(coreVersion);
        int number = copy.number();
        var parkedSince = new AtomicLong();
        boolean isComplete =
                writer.write(
                        number,
                        snapshot,
                        () -> {
                            var parked = ParkedOffsets.read(kafka, pool, number, since);
                            var wrong = copy.tookThoughParked(parked);
                            wrong.ifPresent(parkedSince::set);
                            return wrong.isEmpty();
                        });
        if (!isComplete) {
            log.atError()
                    .addKeyValue("pool", pool)
                    .addKeyValue("offset", parkedSince.get())
                    .log(
                            "NO SNAPSHOT: the coordinator parked this record meanwhile; the next run"
                                    + " knows it");
            return new SnapshotOutcome.Failed("parked meanwhile: record " + parkedSince.get());
        }
        log.atInfo()
                .addKeyValue("pool", pool)
                .addKeyValue("offset", snapshot.offset())
                .addKeyValue("records", snapshot.offset() + 1 - from)
                .addKeyValue("rows", snapshot.size())
                .log("snapshot written");
        return new SnapshotOutcome.Written(snapshot.offset(), snapshot.at(), snapshot.size());
    }

    private void tellOther(String pool, String version, long from) {
        log.atError()
                .addKeyValue("pool", pool)
                .addKeyValue("offset", from)
                .addKeyValue("version", version)
                .addKeyValue("here", coreVersion)
                .log(
                        "STOPPED AT ANOTHER VERSION: from this record on its rules decided, and its"
                                + " snapshotter goes on; see docs/guide/upgrading.md");
    }

    /**
     * @return null: the copy has all up to {@code end}
     */
    private @Nullable SnapshotOutcome follow(
            String pool, PoolCopy copy, InboxTopic inbox, long end) {
        for (var records = inbox.from(copy.position() + 1); records.hasNext(); ) {
            var in = records.next();
            if (in.offset() >= end) {
                break;
            }
            var decided = decidedBy(copy, in);
            if (isOther(decided)) {
                return new SnapshotOutcome.OtherVersion(decided, in.offset(), null);
            }
            if (copy.take(in) instanceof Heard.Unusable(var record, var why)) {
                log.atError()
                        .addKeyValue("pool", pool)
                        .addKeyValue("offset", record.offset())
                        .addKeyValue("why", why)
                        .log("NO SNAPSHOT: a record that was not parked cannot be taken in");
                return new SnapshotOutcome.Failed(why);
            }
        }
        // What another version's snapshot has that this one does not know is not to be lost.
        if (isOther(copy.coreVersion())) {
            return new SnapshotOutcome.OtherVersion(copy.coreVersion(), copy.position() + 1, null);
        }
        if (!new RuleVersions(copy.versions(), coreVersion).areTheSame()) {
            log.atWarn()
                    .addKeyValue("pool", pool)
                    .addKeyValue("versions", copy.versions())
                    .addKeyValue("here", coreVersion)
                    .log("rules of other versions decided: check by a replay from this snapshot");
        }
        return null;
    }

    private boolean isOther(String version) {
        return !anyVersion && !version.isEmpty() && !version.equals(coreVersion);
    }

    /** Whose rules decided what follows from a record; empty: the inbox has not said it yet. */
    private static String decidedBy(PoolCopy copy, InboxRecord in) {
        var told = copy.versionIn(in);
        return told == null ? copy.coreVersion() : told;
    }
}
