package dev.muster.coordinator.history.snapshots;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.Envelope;
import dev.muster.v1.SnapshotComplete;
import dev.muster.v1.SnapshotKind;
import dev.muster.v1.SnapshotRecord;
import dev.muster.v1.SnapshotRow;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes snapshots. A snapshot's number is the offset that it includes: written twice it is the
 * same rows, so a writer that was cut short does no harm.
 */
public final class SnapshotWriter implements AutoCloseable {
    static final String ROWS = "rows";
    static final String SPECS = "specs";

    /** What the key of the last record ends with. */
    private static final String COMPLETE = "complete";

    private final KafkaProducer<byte[], byte[]> producer;
    private final AvroSerializer<SnapshotRecord> values = new AvroSerializer<>();

    /**
     * @param kafka settings of a client, those of the registry among them
     */
    public SnapshotWriter(Map<String, ?> kafka) {
        var config = new HashMap<String, Object>(kafka);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 20);
        // Rows are much alike, and a month has 744 times all of them. No library's file is needed.
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "gzip");
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 5 * 1024 * 1024);
        producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        values.configure(kafka, false);
    }

    /** In which partition all snapshots of a pool lie. */
    static int partition(int pool) {
        return pool % Topics.SNAPSHOTS.partitions();
    }

    private static String key(String pool, long number, String row) {
        return "%s/%d/%s".formatted(pool, number, row);
    }

    /**
     * Writes all of it, and its last record when all else is there.
     *
     * @param number of the pool
     * @param isRight asked once all else is there; false: the last record is not written, and what
     *     is there is then never used
     * @return whether it is complete
     * @throws KafkaException when it could not be written; what is there of it is then never used
     */
    public boolean write(int number, Snapshot snapshot, BooleanSupplier isRight) {
        var failure = new AtomicReference<@Nullable Exception>();
        writeAll(number, snapshot, ROWS, snapshot.rows(), failure);
        writeAll(number, snapshot, SPECS, snapshot.specs(), failure);
        producer.flush();
        check(failure);
        if (!isRight.getAsBoolean()) {
            return false;
        }
        var last =
                record(snapshot)
                        .setKind(SnapshotKind.COMPLETE)
                        .setComplete(
                                new SnapshotComplete(
                                        snapshot.size(),
                                        snapshot.digest(),
                                        snapshot.coreVersion(),
                                        snapshot.offset()))
                        .build();
        send(number, key(snapshot.pool(), snapshot.offset(), COMPLETE), last, failure);
        producer.flush();
        check(failure);
        return true;
    }

    private void writeAll(
            int number,
            Snapshot snapshot,
            String store,
            SortedMap<String, byte[]> entries,
            AtomicReference<@Nullable Exception> failure) {
        entries.forEach((key, value) -> {
            var row =
                    new SnapshotRow(
                            store, ByteBuffer.wrap(key.getBytes(UTF_8)), ByteBuffer.wrap(value));
            var record = record(snapshot).setKind(SnapshotKind.ROW).setRow(row).build();
            var name = key(snapshot.pool(), snapshot.offset(), store + "/" + key);
            send(number, name, record, failure);
        });
    }

    private static SnapshotRecord.Builder record(Snapshot snapshot) {
        return SnapshotRecord.newBuilder()
                .setEnvelope(
                        Envelope.newBuilder()
                                .setId(snapshot.pool() + "/" + snapshot.offset())
                                .setAt(snapshot.at())
                                .setActor("snapshotter")
                                .build())
                .setPool(snapshot.pool())
                .setNumber(snapshot.offset());
    }

    private void send(
            int number,
            String key,
            SnapshotRecord value,
            AtomicReference<@Nullable Exception> failure) {
        var _ =
                producer.send(
                        new ProducerRecord<>(
                                Topics.SNAPSHOTS.name(),
                                partition(number),
                                value.getEnvelope().getAt().toEpochMilli(),
                                key.getBytes(UTF_8),
                                values.serialize(Topics.SNAPSHOTS.name(), value)),
                        (_, problem) -> {
                            if (problem != null) {
                                failure.compareAndSet(null, problem);
                            }
                        });
    }

    private static void check(AtomicReference<@Nullable Exception> failure) {
        var problem = failure.get();
        if (problem != null) {
            throw new KafkaException("a snapshot could not be written", problem);
        }
    }

    @Override
    public void close() {
        producer.close();
        values.close();
    }
}
