package dev.muster.streams;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.jspecify.annotations.Nullable;

/**
 * One processor's wish that what it published be seen soon. What nobody asks for is committed at
 * the end of Kafka Streams' own commit interval.
 */
public final class Prompt implements AutoCloseable {
    /** For whoever is later the pace would take as long as the interval of 300 ms does. */
    private static final long BACKLOG_MILLIS = 100;

    private final ProcessingContext context;
    private final CommitPace pace;
    private final Rounds rounds;
    private @Nullable Cancellable waking;
    private long commitsBefore;
    private long late;

    Prompt(ProcessingContext context, CommitPace pace, Rounds rounds) {
        this.context = context;
        this.pace = pace;
        this.rounds = rounds;
    }

    /**
     * Somebody waits for what was just published: it is committed as soon as the pace allows,
     * unless there is a backlog.
     *
     * @param since when what it answers was written, in ms since the epoch by the writer's or the
     *     broker's clock; clocks that differ make commits rarer or more frequent, and no more
     */
    public void commit(long since) {
        var millis = context.currentSystemTimeMs() - since;
        if (millis > BACKLOG_MILLIS) {
            return;
        }
        var nanos = TimeUnit.MILLISECONDS.toNanos(Math.max(0, millis));
        if (pace.isDue(nanos)) {
            now();
        } else if (waking == null) {
            commitsBefore = pace.commits();
            late = nanos;
            waking = rounds.each(context, this::look);
        }
    }

    private void look() {
        // One commit is for all tasks of a thread, so another's may have been ours too.
        if (pace.commits() != commitsBefore) {
            sleep();
        } else if (pace.isDue(late)) {
            now();
        }
    }

    private void now() {
        sleep();
        context.commit();
    }

    /** With the processor, on its thread: what nobody waits for any more wakes no thread. */
    @Override
    public void close() {
        sleep();
    }

    private void sleep() {
        if (waking != null) {
            waking.cancel();
            waking = null;
        }
    }
}
