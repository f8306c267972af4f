package dev.muster.watcher.kafka;

import dev.muster.schemas.Topics;
import dev.muster.schemas.crash.CrashPoint;
import dev.muster.schemas.serde.AvroSerializer;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.Witness;
import dev.muster.watcher.core.Pool;
import dev.muster.watcher.core.Report;
import dev.muster.watcher.core.Term;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the inboxes what is told in one term. What a pool is told arrives in order, or it
 * failed, and then nothing more is sent to that pool until {@link #nextFailed} has named it.
 *
 * <p>One thread tells; any thread may {@link #abort}.
 */
public final class InboxWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InboxWriter.class);
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final Term term;
    private final InstantSource time;
    private final Runnable onFailure;
    private final InboxEvents events;
    private final AvroSerializer<InboxEvent> serializer;
    private final Producer<String, byte[]> producer;
    private final Set<String> failed = ConcurrentHashMap.newKeySet();
    private long told;

    /**
     * @param producer closed with this
     * @param serializer left open: it outlives the term
     * @param shard which shard tells
     * @param time by which the term is judged
     * @param onFailure called, from any thread, when something did not arrive
     */
    InboxWriter(
            Producer<String, byte[]> producer,
            AvroSerializer<InboxEvent> serializer,
            int shard,
            Term term,
            InstantSource time,
            Runnable onFailure) {
        this.producer = producer;
        this.serializer = serializer;
        this.term = term;
        this.time = time;
        this.onFailure = onFailure;
        var layout = term.layout();
        events = new InboxEvents(new Witness(shard, layout.shards(), term.epoch(), layout.since()));
    }

    /** Returns when the report is on its way; says nothing once the term has ended. */
    public void tell(Pool pool, Report report) {
        if (failed.contains(pool.name())) {
            return;
        }
        try {
            var event = events.of(pool.name(), report, ++told, Instant.now());
            var value = serializer.serialize(Topics.INBOX.name(), event);
            var out = new ProducerRecord<>(Topics.INBOX.name(), pool.number(), pool.name(), value);
            CrashPoint.WATCHER_TELLING.pass(report);
            if (term.covers(time.instant())) {
                send(pool, out, report);
                (report instanceof Report.SnapshotBegin
                                ? CrashPoint.WATCHER_SNAPSHOT_BEGUN
                                : CrashPoint.WATCHER_TOLD)
                        .pass(report);
            }
        } catch (KafkaException | IllegalStateException e) {
            fail(pool, e); // Illegal: the producer was closed, since the term ended meanwhile.
        }
    }

    /** Returns when all that was told has arrived or failed. */
    public void awaitArrival() {
        producer.flush();
    }

    /** A pool that was told something that did not arrive, each time it happened. */
    public Optional<String> nextFailed() {
        var pool = failed.stream().findAny();
        pool.ifPresent(failed::remove);
        return pool;
    }

    /** Ends at once: what has not left this process never will. */
    public void abort() {
        producer.close(Duration.ZERO);
    }

    /** Ends when all that was told has arrived or failed. */
    @Override
    public void close() {
        producer.close(LAST_WORDS);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The callback hears of what becomes of it.
    private void send(Pool pool, ProducerRecord<String, byte[]> out, Report report) {
        producer.send(
                out,
                (_, problem) -> {
                    if (problem != null) {
                        fail(pool, problem);
                    } else {
                        CrashPoint.WATCHER_ACKNOWLEDGED.pass(report);
                    }
                });
    }

    private void fail(Pool pool, Exception problem) {
        if (failed.add(pool.name()) && term.covers(time.instant())) {
            LOG.atWarn()
                    .addKeyValue("pool", pool.name())
                    .addKeyValue("partition", pool.number())
                    .addKeyValue("problem", problem.toString())
                    .log("a report did not reach the inbox; a snapshot will follow");
            onFailure.run();
        }
    }
}
