package dev.muster.podmanager.kafka;

import dev.muster.podmanager.core.Plan;
import dev.muster.schemas.Topics;
import dev.muster.schemas.serde.UnreadableRecordException;
import dev.muster.v1.Backend;
import dev.muster.v1.PoolState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Which inbox partition each pool has, and who binds its pods, read from the topic of the pools
 * from its beginning.
 */
final class PoolTable implements Runnable {
    /** A plan may be read before its pool, for a moment: they come from different topics. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration POLL = Duration.ofMillis(500);

    private final Consumer<byte[], byte @Nullable []> consumer;
    private final PatientReader reader;
    private final Function<byte[], PoolState> decode;
    private final ParkedRecords parked;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final TreeMap<String, Integer> numbers = new TreeMap<>();
    private final TreeMap<String, Plan.Backend> backends = new TreeMap<>();
    private boolean loaded;

    PoolTable(
            Consumer<byte[], byte @Nullable []> consumer,
            Function<byte[], PoolState> decode,
            ParkedRecords parked) {
        this.consumer = consumer;
        this.reader = new PatientReader(consumer, "pools wait", this::putOrPark);
        this.decode = decode;
        this.parked = parked;
    }

    /** Reads until {@link #stop}. */
    @Override
    public void run() {
        var partition = new TopicPartition(Topics.POOLS.name(), 0);
        try (consumer) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            var end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (true) {
                reader.read(POLL);
                if (!loaded && consumer.position(partition) >= end) {
                    markLoaded();
                }
            }
        } catch (WakeupException e) {
            // Stopped.
        }
    }

    void stop() {
        consumer.wakeup();
    }

    private void putOrPark(ConsumerRecord<byte[], byte @Nullable []> record) {
        try {
            put(record);
        } catch (UnreadableRecordException e) {
            parked.park(record, String.valueOf(e.getMessage()));
        }
    }

    private void put(ConsumerRecord<byte[], byte @Nullable []> record) {
        var value = record.value();
        // Before the lock: it may wait for the registry.
        var pool = value == null ? null : decode.apply(value);
        lock.lock();
        try {
            if (pool == null) {
                var name = new String(record.key(), StandardCharsets.UTF_8);
                numbers.remove(name);
                backends.remove(name);
            } else {
                numbers.put(pool.getName(), pool.getNumber());
                backends.put(pool.getName(), backend(pool));
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void markLoaded() {
        lock.lock();
        try {
            loaded = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isLoaded() {
        lock.lock();
        try {
            return loaded;
        } finally {
            lock.unlock();
        }
    }

    private static Plan.Backend backend(PoolState pool) {
        return pool.getSpec().getBackend() == Backend.VOLCANO
                ? Plan.Backend.VOLCANO
                : Plan.Backend.NONE;
    }

    /** What pools have chosen, as far as this version knows it. */
    Set<Plan.Backend> backends() {
        lock.lock();
        try {
            return backends.values().stream()
                    .filter(backend -> backend != Plan.Backend.NONE)
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    /**
     * All pools, and what each has chosen, as far as this version knows it; waits a little until
     * the topic was read once.
     */
    SortedMap<String, Plan.Backend> all() {
        lock.lock();
        try {
            long nanos = READ_TIMEOUT.toNanos();
            while (!loaded && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return new TreeMap<>(backends);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The pool's inbox partition; waits a little for a pool that was never heard of.
     *
     * @throws PoolUnknownException when it stays so; try again
     */
    int number(String pool) {
        lock.lock();
        try {
            long nanos = READ_TIMEOUT.toNanos();
            Integer number = numbers.get(pool);
            while (number == null && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
                number = numbers.get(pool);
            }
            if (number == null) {
                throw new PoolUnknownException(pool);
            }
            return number;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /** No record of the pools topic names this pool. */
    static final class PoolUnknownException extends RetriableException {
        private static final long serialVersionUID = 1;

        PoolUnknownException(String pool) {
            super("no pool " + pool + " is known; its report waits");
        }
    }
}
