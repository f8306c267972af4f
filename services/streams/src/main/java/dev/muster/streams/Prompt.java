package dev.muster.streams;

import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.jspecify.annotations.Nullable;

/**
 * One processor's wish that what it published be seen soon. What nobody asks for is committed at
 * the end of Kafka Streams' own commit interval.
 */
public final class Prompt implements AutoCloseable {
    /** Whoever waited for longer does not notice the rest of the interval. */
    private static final long BACKLOG_MILLIS = 200;

    private final ProcessingContext context;
    private final CommitPace pace;
    private final Rounds rounds;
    private @Nullable Cancellable waking;
    private long commitsBefore;

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
        if (context.currentSystemTimeMs() - since > BACKLOG_MILLIS) {
            return;
        }
        if (pace.isDue()) {
            now();
        } else if (waking == null) {
            commitsBefore = pace.commits();
            waking = rounds.each(context, this::look);
        }
    }

    private void look() {
        // One commit is for all tasks of a thread, so another's may have been ours too.
        if (pace.commits() != commitsBefore) {
            sleep();
        } else if (pace.isDue()) {
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
