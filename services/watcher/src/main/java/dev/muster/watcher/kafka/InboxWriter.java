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
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the inboxes what is told in one term. While that covers nothing, what is told waits.
 * When something that a pool was told did not arrive, nothing more is sent to that pool until
 * {@link #nextFailed} has named it; what was on its way then may arrive still, and leave a gap.
 * Therefore the end of a snapshot, and what is told after it, is sent only once all that was told
 * before it has arrived.
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
    private final Map<String, PoolLine> lines = new ConcurrentHashMap<>();
    private long told;

    private sealed interface Next {
        /** All that was told before is to arrive before. */
        default boolean waits() {
            return switch (this) {
                case Said said -> said.report() instanceof Report.SnapshotEnd;
                case Asked _ -> true;
            };
        }
    }

    private record Said(Pool pool, Report report, ProducerRecord<String, byte[]> out)
            implements Next {}

    /** Somebody wants to know whether what was told before has arrived. */
    private record Asked() implements Next {}

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
     * Returns when the report is on its way or waits until {@link #goOn}; it is never told once the
     * term has ended.
     */
    public void tell(Pool pool, Report report) {
        var line = line(pool.name());
        if (line.hasFailed()) {
            return;
        }
        try {
            var event = events.of(pool.name(), report, ++told, Instant.now());
            var value = serializer.serialize(Topics.INBOX.name(), event);
            var out = new ProducerRecord<>(Topics.INBOX.name(), pool.number(), pool.name(), value);
            CrashPoint.WATCHER_TELLING.pass(report);
            line.tell(new Said(pool, report, out));
        } catch (KafkaException e) {
            line.fail(pool, e);
        }
    }

    /**
     * Sends what waited until all that was told before it had arrived, as far as it has, or until
     * the term covers something again.
     *
     * @return whether something was waiting that does not wait any more
     */
    public boolean goOn() {
        boolean some = false;
        for (var line : lines.values()) {
            some |= line.goOn();
        }
        return some;
    }

    private PoolLine line(String pool) {
        return lines.computeIfAbsent(pool, _ -> new PoolLine());
    }

    /**
     * From now on {@link #nextArrived} names the pool once all that it was told before this has
     * arrived; if some of it does not, {@link #nextFailed} does. Other pools wait for nothing.
     */
    public void awaitArrival(String pool) {
        line(pool).ask();
    }

    /** A pool of which {@link #awaitArrival} was asked, and all that was told before is there. */
    public Optional<String> nextArrived() {
        for (var line : lines.entrySet()) {
            if (line.getValue().hasArrivedSince()) {
                return Optional.of(line.getKey());
            }
        }
        return Optional.empty();
    }

    /** A pool that was told something that did not arrive, each time it happened. */
    public Optional<String> nextFailed() {
        for (var line : lines.entrySet()) {
            if (line.getValue().beginAnew()) {
                return Optional.of(line.getKey());
            }
        }
        return Optional.empty();
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

    /** What is on its way to one pool, and what waits until that has arrived. */
    private final class PoolLine {
        /** So many were sent of which nothing was heard yet. */
        private final AtomicInteger underway = new AtomicInteger();

        /** What comes once nothing is under way, or the term covers something again. */
        private final Deque<Next> held = new ConcurrentLinkedDeque<>();

        private final AtomicBoolean failed = new AtomicBoolean();

        /** What was asked is answered by yes, of which nobody knows yet. */
        private boolean arrived;

        boolean hasFailed() {
            return failed.get();
        }

        /**
         * Forgets what waits for what failed.
         *
         * @return whether anything had
         */
        boolean beginAnew() {
            if (!failed.get()) {
                return false;
            }
            held.clear();
            failed.set(false);
            return true;
        }

        void tell(Said said) {
            if (held.isEmpty() && !said.waits() && isCovered()) {
                send(said);
            } else {
                hold(said);
            }
        }

        void ask() {
            arrived = false;
            if (!hasFailed()) {
                hold(new Asked());
            }
        }

        /** Says it once. */
        boolean hasArrivedSince() {
            boolean has = arrived;
            arrived = false;
            return has;
        }

        private void hold(Next next) {
            boolean isFirst = held.isEmpty();
            held.add(next);
            if (isFirst) {
                goOn();
            }
        }

        /**
         * @return whether something was waiting that does not wait any more
         */
        boolean goOn() {
            if (!mayGoOn()) {
                return false;
            }
            while (!hasFailed() && mayGoOn()) {
                switch (held.remove()) {
                    case Said said -> send(said);
                    // Else of what was told since it was asked.
                    case Asked asked -> arrived |= !held.contains(asked);
                }
            }
            if (hasFailed()) {
                held.clear();
            }
            return true;
        }

        private boolean mayGoOn() {
            return !held.isEmpty()
                    && (!held.element().waits() || underway.get() == 0)
                    && isCovered();
        }

        private boolean isCovered() {
            return term.covers(time.instant());
        }

        private void send(Said said) {
            underway.incrementAndGet();
            try {
                var _ = producer.send(said.out(), (_, problem) -> heard(said, problem));
            } catch (KafkaException | IllegalStateException e) {
                underway.decrementAndGet();
                fail(said.pool(), e); // Illegal: the producer was closed, since the term ended.
                return;
            }
            (said.report() instanceof Report.SnapshotBegin
                            ? CrashPoint.WATCHER_SNAPSHOT_BEGUN
                            : CrashPoint.WATCHER_TOLD)
                    .pass(said.report());
        }

        private void heard(Said said, @Nullable Exception problem) {
            if (problem != null) {
                fail(said.pool(), problem);
            } else {
                CrashPoint.WATCHER_ACKNOWLEDGED.pass(said.report());
            }
            if (underway.decrementAndGet() == 0 && !held.isEmpty()) {
                onNews.run();
            }
        }

        void fail(Pool pool, Exception problem) {
            if (failed.compareAndSet(false, true) && !term.hasEnded()) {
                LOG.atWarn()
                        .addKeyValue("pool", pool.name())
                        .addKeyValue("partition", pool.number())
                        .addKeyValue("problem", problem.toString())
                        .log("a report did not reach the inbox; a snapshot will follow");
                onNews.run();
            }
        }
    }
}
