package dev.muster.bench.jobs;

import dev.muster.bench.system.Pools;
import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.kafka.Kafka;
import dev.muster.schemas.Topics;
import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.PodPhase;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What the watchers tell a pool, as it arrives in the pool's inbox. */
public final class InboxNews implements AutoCloseable {
    /** What only watchers write. */
    private static final Set<InboxKind> NEWS =
            EnumSet.of(
                    InboxKind.NODE_SEEN,
                    InboxKind.NODE_RELEASED,
                    InboxKind.OTHERS_USE,
                    InboxKind.POD_SEEN,
                    InboxKind.POD_GONE,
                    InboxKind.SNAPSHOT_BEGIN,
                    InboxKind.SNAPSHOT_END,
                    InboxKind.WATCHER_ALIVE);

    private static final Duration POLL = Duration.ofMillis(100);

    /**
     * @param pod a pod that was seen to have failed; empty: the end of a snapshot
     * @param moment of this JVM's clock at which that was heard
     */
    private record Heard(String pod, long moment) {}

    private final Map<InboxKind, AtomicLong> counts = new EnumMap<>(InboxKind.class);
    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final Thread reader;
    private volatile boolean over;
    private volatile @Nullable RuntimeException failure;

    private InboxNews(Consumer<String, InboxEvent> consumer) {
        NEWS.forEach(kind -> counts.put(kind, new AtomicLong()));
        reader = Thread.ofPlatform().daemon().name("reads inbox").start(() -> read(consumer));
    }

    /** Hears all that comes into the pool's inbox from now on. */
    public static InboxNews open(Context context, String pool) {
        var partition = new TopicPartition(Topics.INBOX.name(), Pools.numberOf(context, pool));
        Consumer<String, InboxEvent> consumer = Kafka.consumer(context);
        consumer.assign(List.of(partition));
        consumer.seekToEnd(List.of(partition));
        // Seeking is lazy: what is published after this comes after this position.
        consumer.position(partition);
        return new InboxNews(consumer);
    }

    private void read(Consumer<String, InboxEvent> consumer) {
        try (consumer) {
            while (!over) {
                var records = consumer.poll(POLL);
                long moment = System.nanoTime();
                records.forEach(record -> take(record.value(), moment));
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void take(InboxEvent event, long moment) {
        var count = counts.get(event.getKind());
        if (count != null) {
            count.incrementAndGet();
        }
        var seen = event.getPodSeen();
        if (seen != null && seen.getPhase() == PodPhase.FAILED) {
            heard.add(new Heard(seen.getIdentity().getPod(), moment));
        }
        if (event.getKind() == InboxKind.SNAPSHOT_END) {
            heard.add(new Heard("", moment));
        }
    }

    /** How many records of each kind came; kinds that did not come are not in it. */
    public Map<InboxKind, Long> counts() {
        var now = new EnumMap<InboxKind, Long>(InboxKind.class);
        counts.forEach((kind, count) -> {
            if (count.get() > 0) {
                now.put(kind, count.get());
            }
        });
        return now;
    }

    /**
     * Waits until the pod's failure is told.
     *
     * @return the moment at which that was heard
     */
    public long awaitFailed(String pod, Duration within) {
        return await(pod, within);
    }

    /**
     * Waits for the next end of a snapshot.
     *
     * @return the moment at which that was heard
     */
    public long awaitSnapshot(Duration within) {
        return await("", within);
    }

    private long await(String what, Duration within) {
        long end = System.nanoTime() + within.toNanos();
        try {
            while (failure == null && System.nanoTime() < end) {
                var next = heard.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
                if (next != null && next.pod().equals(what)) {
                    return next.moment();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw CommandFailedException.failed(
                "the watcher did not tell it within " + within, failure);
    }

    @Override
    public void close() {
        over = true;
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
