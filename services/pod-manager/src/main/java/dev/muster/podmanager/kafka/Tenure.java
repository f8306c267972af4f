package dev.muster.podmanager.kafka;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Collectors;

/**
 * Which partitions are ours to work on, and since when that was last proven.
 *
 * <p>Half a session after the last proof nothing is written any more: whoever slept that long may
 * have been replaced without knowing it.
 */
final class Tenure {
    private final Duration trust;
    private final InstantSource clock;

    /** Since when each is ours. */
    private final Map<Integer, Instant> open = new ConcurrentHashMap<>();

    /** Fair: a partition can be given away while others are busy. */
    private final ReentrantReadWriteLock writing = new ReentrantReadWriteLock(true);

    private volatile Instant proven = Instant.EPOCH;

    Tenure(Duration session, InstantSource clock) {
        this.trust = session.dividedBy(2);
        this.clock = clock;
    }

    /** Some write, and what may go wrong with it. */
    interface Writing<T> {
        T run() throws IOException;
    }

    /** The broker took our word as a member; {@code at} is when it was asked. */
    void prove(Instant at) {
        proven = at;
    }

    /** Early enough for an answer that takes {@link #patience} to come in time. */
    boolean isProofDue() {
        return !proven.plus(trust.dividedBy(3)).isAfter(clock.instant());
    }

    /** How long a proof may take to be given. */
    Duration patience() {
        return trust.dividedBy(3).multipliedBy(2);
    }

    boolean isProven() {
        return proven.plus(trust).isAfter(clock.instant());
    }

    boolean holds(int partition) {
        return open.containsKey(partition) && isProven();
    }

    /**
     * Passes if the partition is still ours.
     *
     * @throws PartitionLostException when it is not, or when that was not proven lately
     */
    void check(int partition) throws PartitionLostException {
        if (!holds(partition)) {
            throw new PartitionLostException(partition);
        }
    }

    List<Integer> partitions() {
        return List.copyOf(new TreeSet<>(open.keySet()));
    }

    void open(Collection<Integer> partitions) {
        var now = clock.instant();
        partitions.forEach(partition -> open.put(partition, now));
    }

    /** Those that were somebody else's, if anybody's, not longer ago than this. */
    Set<Integer> takenOverWithin(Duration age) {
        var since = clock.instant().minus(age);
        return open.entrySet().stream()
                .filter(partition -> partition.getValue().isAfter(since))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** From now on nothing is begun for these; waits a little for what has begun. */
    void close(Collection<Integer> partitions, Duration patience) throws InterruptedException {
        partitions.forEach(open::remove);
        if (writing.writeLock().tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            writing.writeLock().unlock();
        }
    }

    /**
     * Does a write if the partition is still ours.
     *
     * @throws PartitionLostException when it is not, or when that was not proven lately
     */
    <T> T write(int partition, Writing<T> write) throws IOException {
        writing.readLock().lock();
        try {
            check(partition);
            return write.run();
        } finally {
            writing.readLock().unlock();
        }
    }

    /** Somebody else may be working on the partition. */
    static final class PartitionLostException extends IOException {
        private static final long serialVersionUID = 1;

        PartitionLostException(int partition) {
            super("partition " + partition + " is not ours, or that was not proven lately");
        }
    }
}
