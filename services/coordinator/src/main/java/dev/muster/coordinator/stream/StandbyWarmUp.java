package dev.muster.coordinator.stream;

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
 * Reads some of the rows that this process keeps for others, before it has to take them over. A JVM
 * that has decoded none takes four times as long for each (bench/results/notes.md), and decoding is
 * most of a takeover. It keeps nothing of them, and ends when it has read enough.
 */
final class StandbyWarmUp implements Runnable {
    /** By then a JVM has compiled what decodes them. */
    static final int ENOUGH = 20_000;

    private static final Duration LOOKS_AGAIN_AFTER = Duration.ofSeconds(10);
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
            LockSupport.parkNanos(LOOKS_AGAIN_AFTER.toNanos());
            if (streams.state() == State.RUNNING) {
                read += readOnce(ENOUGH - read);
            }
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
        try (var entries = Rows.entries(store)) {
            for (; read < most && entries.hasNext(); read++) {
                var entry = entries.next();
                reader.row(entry.key, entry.value);
            }
        }
        return read;
    }
}
