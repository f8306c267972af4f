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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the inboxes what is told in one term. When something that a pool was told did not
 * arrive, nothing more is sent to that pool until {@link #nextFailed} has named it; what was on its
 * way then may arrive still, and leave a gap. Therefore the end of a snapshot, and what is told
 * after it, is sent only once all that was told before it has arrived.
 *
 * <p>One thread tells; any thread may {@link #abort}.
 */
public final class InboxWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InboxWriter.class);
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final Term term;
    private final InstantSource time;
    private final Runnable onNews;
    private final InboxEvents events;
    private final AvroSerializer<InboxEvent> serializer;
    private final Producer<String, byte[]> producer;
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /** How many records of a pool were sent of which nothing was heard yet. */
    private final Map<String, AtomicInteger> underway = new ConcurrentHashMap<>();

    /** What a pool is told once nothing of it is under way: the end of a snapshot comes first. */
    private final Map<String, Deque<Said>> held = new ConcurrentHashMap<>();

    private long told;

    private record Said(Pool pool, Report report, ProducerRecord<String, byte[]> out) {
        boolean isEnd() {
            return report instanceof Report.SnapshotEnd;
        }
    }

    /**
     * @param producer closed with this
     * @param serializer left open: it outlives the term
     * @param shard which shard tells
     * @param time by which the term is judged
     * @param onNews called, from any thread, when something did not arrive, or so much has that
     *     {@link #goOn} is to be called
     */
    InboxWriter(
            Producer<String, byte[]> producer,
            AvroSerializer<InboxEvent> serializer,
            int shard,
            Term term,
            InstantSource time,
            Runnable onNews) {
        this.producer = producer;
        this.serializer = serializer;
        this.term = term;
        this.time = time;
        this.onNews = onNews;
        var layout = term.layout();
        events = new InboxEvents(new Witness(shard, layout.shards(), term.epoch(), layout.since()));
    }

    /**
     * Returns when the report is on its way or waits until {@link #goOn}; says nothing once the
     * term has ended.
     */
    public void tell(Pool pool, Report report) {
        if (failed.contains(pool.name())) {
            return;
        }
        try {
            var event = events.of(pool.name(), report, ++told, Instant.now());
            var value = serializer.serialize(Topics.INBOX.name(), event);
            var out = new ProducerRecord<>(Topics.INBOX.name(), pool.number(), pool.name(), value);
            CrashPoint.WATCHER_TELLING.pass(report);
            var said = new Said(pool, report, out);
            var waiting = held.get(pool.name());
            if (waiting != null) {
                waiting.add(said);
            } else if (said.isEnd()) {
                held.put(pool.name(), new ArrayDeque<>(List.of(said)));
                goOn(pool.name());
            } else {
                send(said);
            }
        } catch (KafkaException e) {
            fail(pool, e);
        }
    }

    /**
     * Sends what waited until all that was told before it had arrived, as far as it has.
     *
     * @return whether something was waiting that does not wait any more
     */
    public boolean goOn() {
        boolean some = false;
        for (var pool : List.copyOf(held.keySet())) {
            some |= goOn(pool);
        }
        return some;
    }

    /** Returns when all that was told has arrived or failed. */
    public void awaitArrival() {
        do {
            producer.flush();
        } while (goOn());
    }

    /** A pool that was told something that did not arrive, each time it happened. */
    public Optional<String> nextFailed() {
        var pool = failed.stream().findAny();
        pool.ifPresent(held::remove);
        pool.ifPresent(failed::remove);
        return pool;
    }

    /** Ends at once: what has not left this process never will. */
    public void abort() {
        producer.close(Duration.ZERO);
    }

    /** Ends when all that was sent has arrived or failed; what waits is never told. */
    @Override
    public void close() {
        producer.close(LAST_WORDS);
    }

    private boolean goOn(String pool) {
        var waiting = held.get(pool);
        if (waiting == null || underwayOf(pool).get() > 0) {
            return false;
        }
        // One end at most: what is told before the next one is to arrive first.
        boolean some = false;
        while (!failed.contains(pool)
                && !waiting.isEmpty()
                && !(some && waiting.element().isEnd())) {
            send(waiting.remove());
            some = true;
        }
        if (waiting.isEmpty() || failed.contains(pool)) {
            held.remove(pool);
        }
        return true;
    }

    private AtomicInteger underwayOf(String pool) {
        return underway.computeIfAbsent(pool, _ -> new AtomicInteger());
    }

    private void send(Said said) {
        if (!term.covers(time.instant())) {
            return;
        }
        var count = underwayOf(said.pool().name());
        count.incrementAndGet();
        try {
            send(said, count);
        } catch (KafkaException | IllegalStateException e) {
            count.decrementAndGet();
            fail(said.pool(), e); // Illegal: the producer was closed, since the term ended.
            return;
        }
        (said.report() instanceof Report.SnapshotBegin
                        ? CrashPoint.WATCHER_SNAPSHOT_BEGUN
                        : CrashPoint.WATCHER_TOLD)
                .pass(said.report());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The callback hears of what becomes of it.
    private void send(Said said, AtomicInteger count) {
        var pool = said.pool();
        producer.send(
                said.out(),
                (_, problem) -> {
                    if (problem != null) {
                        fail(pool, problem);
                    } else {
                        CrashPoint.WATCHER_ACKNOWLEDGED.pass(said.report());
                    }
                    if (count.decrementAndGet() == 0 && held.containsKey(pool.name())) {
                        onNews.run();
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
            onNews.run();
        }
    }
}
