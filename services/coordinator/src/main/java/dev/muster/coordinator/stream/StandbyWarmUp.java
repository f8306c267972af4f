package dev.muster.coordinator.stream;

import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.stream.rows.RowReader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes pools of the rows that this process keeps for others, before it has to take them over. A
 * JVM that has made none takes four times as long for each row (bench/results/notes.md), and that
 * is a good part of a takeover. It keeps nothing of them, and ends when it has read enough.
 */
final class StandbyWarmUp implements Runnable {
    /** By then a JVM has compiled all of it well; the same ones are read again and again. */
    static final int ENOUGH = 60_000;

    private static final Duration LOOKS_AGAIN_AFTER = Duration.ofSeconds(2);
    private static final Logger log = LoggerFactory.getLogger(StandbyWarmUp.class);

    private final KafkaStreams streams;

    private StandbyWarmUp(KafkaStreams streams) {
        this.streams = streams;
    }

    /** Begins beside everything else; ends by itself, at the latest when the streams do. */
    static void begin(KafkaStreams streams) {
        var thread = new Thread(new StandbyWarmUp(streams), "standby-warm-up");
        thread.setDaemon(true);
        thread.setPriority(Thread.MIN_PRIORITY);
        thread.start();
    }

    @Override
    public void run() {
        int read = 0;
        while (read < ENOUGH && !streams.state().hasStartedOrFinishedShuttingDown()) {
            int more = streams.state() == State.RUNNING ? readOnce(ENOUGH - read) : 0;
            if (more == 0) {
                LockSupport.parkNanos(LOOKS_AGAIN_AFTER.toNanos());
            }
            read += more;
        }
        log.atInfo().addKeyValue("rows", read).log("a takeover was rehearsed");
    }

    private int readOnce(int most) {
        int read = 0;
        try {
            for (int pool : kept()) {
                read += read(store(pool), most - read);
            }
        } catch (InvalidStateStoreException e) {
            log.atDebug().setCause(e).log("the group rebalances");
        }
        return read;
    }

    /** Inbox partitions whose rows others use now. */
    private List<Integer> kept() {
        return streams.metadataForLocalThreads().stream()
                .flatMap(thread -> thread.standbyTasks().stream())
                .map(task -> task.taskId().partition())
                .toList();
    }

    private ReadOnlyKeyValueStore<String, byte[]> store(int pool) {
        return streams.store(
                StoreQueryParameters.fromNameAndType(
                                Rows.STORE, QueryableStoreTypes.<String, byte[]>keyValueStore())
                        .enableStaleStores()
                        .withPartition(pool));
    }

    /** How many were read: all of the store, or so many. */
    static int read(ReadOnlyKeyValueStore<String, byte[]> store, int most) {
        int read = 0;
        var reader = new RowReader();
        var pool = Pool.Restoring.begin();
        try (var entries = Rows.entries(store)) {
            for (; read < most && entries.hasNext(); read++) {
                var entry = entries.next();
                pool.add(reader.row(entry.key, entry.value));
            }
        } catch (IllegalStateException e) {
            log.atDebug().setCause(e).log("rows changed meanwhile");
        }
        return read;
    }
}
