package dev.muster.streams;

import java.time.Duration;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.LagInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a process has, once since its start, the state that it keeps for others. In a rolling
 * update whoever had it so far may go only then.
 */
public final class CatchUp {
    /**
     * Records of one store. With so many to read Kafka Streams, too, counts a process as caught up
     * ({@code acceptable.recovery.lag}), and a takeover reads them in a moment.
     */
    static final long LITTLE = 10_000;

    /** For so long nobody says how far behind we are, or we have nothing to do: never mind then. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration LOOKS_AGAIN_AFTER = Duration.ofMillis(200);
    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

    private volatile boolean done;
    private boolean unknown;
    private long unknownSince;

    CatchUp() {}

    /** Looks beside everything else; ends once it is done, at the latest when the streams do. */
    public static CatchUp begin(KafkaStreams streams) {
        var catchUp = new CatchUp();
        var thread = new Thread(() -> catchUp.await(streams), "catch-up");
        thread.setDaemon(true);
        thread.start();
        return catchUp;
    }

    /** True from some time on, and never false again. */
    public boolean isDone() {
        return done;
    }

    private void await(KafkaStreams streams) {
        while (!done && !streams.state().hasStartedOrFinishedShuttingDown()) {
            // While the group rebalances nobody is ready, whatever he has.
            if (streams.state() == State.RUNNING) {
                look(behind(streams), System.nanoTime());
            }
            LockSupport.parkNanos(LOOKS_AGAIN_AFTER.toNanos());
        }
    }

    /**
     * Takes in how far behind the process is.
     *
     * @param behind of the store that lacks most; empty: not known
     * @param nanos of a monotonic clock
     */
    void look(OptionalLong behind, long nanos) {
        if (behind.isPresent()) {
            unknown = false;
            done |= behind.getAsLong() <= LITTLE;
            return;
        }
        if (!unknown) {
            unknown = true;
            unknownSince = nanos;
        } else if (nanos - unknownSince >= PATIENCE.toNanos()) {
            LOG.atWarn().log("how far the state of others is behind is not known; ready without");
            done = true;
        }
    }

    /** A process without any task was not given its share yet. */
    private static OptionalLong behind(KafkaStreams streams) {
        var active = 0;
        var kept = new HashSet<Integer>();
        for (var thread : streams.metadataForLocalThreads()) {
            active += thread.activeTasks().size();
            thread.standbyTasks().forEach(task -> kept.add(task.taskId().partition()));
        }
        if (kept.isEmpty()) {
            return active == 0 ? OptionalLong.empty() : OptionalLong.of(0);
        }
        return behind(streams, kept);
    }

    private static OptionalLong behind(KafkaStreams streams, Set<Integer> kept) {
        try {
            var most = 0L;
            for (var store : streams.allLocalStorePartitionLags().values()) {
                kept.removeAll(store.keySet());
                most = Math.max(most, most(store.values()));
            }
            return kept.isEmpty() ? OptionalLong.of(most) : OptionalLong.empty();
        } catch (KafkaException | IllegalStateException e) {
            LOG.atDebug().setCause(e).log("how far behind is not known");
            return OptionalLong.empty();
        }
    }

    private static long most(Iterable<LagInfo> lags) {
        var most = 0L;
        for (var lag : lags) {
            most = Math.max(most, lag.offsetLag());
        }
        return most;
    }
}
