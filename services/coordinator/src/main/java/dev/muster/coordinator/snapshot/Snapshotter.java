package dev.muster.coordinator.snapshot;

import dev.muster.coordinator.history.Heard;
import dev.muster.coordinator.history.InboxTopic;
import dev.muster.coordinator.history.ParkedOffsets;
import dev.muster.coordinator.history.PoolCopy;
import dev.muster.coordinator.history.PoolNumbers;
import dev.muster.coordinator.history.Snapshot;
import dev.muster.coordinator.history.SnapshotWriter;
import dev.muster.coordinator.history.Snapshots;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroDeserializer;
import dev.muster.v1.InboxEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
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
    /** Clocks of brokers and of this machine may differ. */
    private static final Duration AHEAD = Duration.ofDays(1);

    private static final Logger log = LoggerFactory.getLogger(Snapshotter.class);

    private final Map<String, Object> kafka;
    private final String group;
    private final String coreVersion;

    /**
     * @param kafka settings of a client, those of the registry among them
     * @param group of the coordinator
     * @param coreVersion of the rules in this process
     */
    public Snapshotter(Map<String, Object> kafka, String group, String coreVersion) {
        this.kafka = Map.copyOf(kafka);
        this.group = group;
        this.coreVersion = coreVersion;
    }

    /**
     * Writes one snapshot of each pool that the coordinator has heard anything of.
     *
     * @return by pool what was written; empty where that could not be done
     */
    public Map<String, Optional<Snapshot>> run() {
        var written = new LinkedHashMap<String, Optional<Snapshot>>();
        // First how far it has come: all that it parked until then is to be read afterwards.
        var next = takenIn();
        PoolNumbers.read(kafka)
                .forEach((pool, number) -> {
                    var end = next.get(new TopicPartition(Topics.INBOX.name(), number));
                    if (end != null && end > 0) {
                        written.put(pool, write(pool, number, end));
                    }
                });
        return written;
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

    private Optional<Snapshot> write(String pool, int number, long end) {
        try (var snapshots = new Snapshots(kafka);
                var inbox = new InboxTopic(kafka, number);
                var writer = new SnapshotWriter(kafka)) {
            var start = snapshots.newest(pool, number, Instant.now().plus(AHEAD)).orElse(null);
            long from = start == null ? 0 : start.offset() + 1;
            if (inbox.first() > from) {
                log.atError()
                        .addKeyValue("pool", pool)
                        .addKeyValue("needed", from)
                        .addKeyValue("kept", inbox.first())
                        .log("NO SNAPSHOT: the inbox was cleaned before it was read");
                return Optional.empty();
            }
            var copy = follow(pool, number, start, inbox, end);
            if (copy == null) {
                return Optional.empty();
            }
            var snapshot = copy.snapshot(coreVersion);
            writer.write(number, snapshot);
            log.atInfo()
                    .addKeyValue("pool", pool)
                    .addKeyValue("offset", snapshot.offset())
                    .addKeyValue("records", snapshot.offset() + 1 - from)
                    .addKeyValue("rows", snapshot.size())
                    .log("snapshot written");
            return Optional.of(snapshot);
        }
    }

    private @Nullable PoolCopy follow(
            String pool, int number, @Nullable Snapshot start, InboxTopic inbox, long end) {
        var since = start == null ? Instant.EPOCH : start.at();
        var parked = ParkedOffsets.read(kafka, pool, number, since);
        try (var reader = new AvroDeserializer<>(InboxEvent.class)) {
            reader.configure(kafka, false);
            var copy =
                    new PoolCopy(
                            number,
                            start,
                            value -> reader.deserialize(Topics.INBOX.name(), value),
                            parked);
            var version = copy.coreVersion();
            for (var records = inbox.from(copy.position() + 1); records.hasNext(); ) {
                var in = records.next();
                if (in.offset() >= end) {
                    break;
                }
                if (copy.take(in) instanceof Heard.Unusable(var record, var why)) {
                    log.atError()
                            .addKeyValue("pool", pool)
                            .addKeyValue("offset", record.offset())
                            .addKeyValue("why", why)
                            .log("NO SNAPSHOT: the coordinator took in what cannot be read here");
                    return null;
                }
            }
            warnOfVersions(pool, version, copy.coreVersion());
            return copy;
        }
    }

    /** What other rules decided these may decide otherwise: a replay from here would part. */
    private void warnOfVersions(String pool, String before, String after) {
        if (!before.equals(after) && !before.isEmpty() || !after.equals(coreVersion)) {
            log.atWarn()
                    .addKeyValue("pool", pool)
                    .addKeyValue("before", before)
                    .addKeyValue("after", after)
                    .addKeyValue("here", coreVersion)
                    .log("the core's version changed since the last snapshot: check by a replay");
        }
    }
}
