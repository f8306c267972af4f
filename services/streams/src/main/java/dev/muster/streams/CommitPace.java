package dev.muster.streams;

import java.util.function.LongSupplier;

/**
 * How often one stream thread commits: at once after a pause, and under load so seldom that commits
 * take a quarter of its time at most. A commit costs the broker about the same whether it covers
 * one record or a thousand, so what comes faster than commits can be is committed together. Where
 * records are late already the processors are busy, be it with other processes' work, and commits
 * are fewer still: the lateness that a commit adds stays in proportion.
 *
 * <p>For one thread.
 */
final class CommitPace {
    /** After a commit of so long, or for records that are so late, work of so many times that. */
    private static final int WORK_PER_COMMIT = 3;

    private final LongSupplier nanoTime;
    private boolean isCommitting;
    private long began;
    private long ended;
    private long took;
    private long commits;

    /**
     * @param nanoTime of the monotonic clock
     */
    CommitPace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        ended = nanoTime.getAsLong();
    }

    /** What was sent is being made sure of; said again before the end, it changes nothing. */
    void begins() {
        if (!isCommitting) {
            isCommitting = true;
            began = nanoTime.getAsLong();
        }
    }

    /** The transaction has ended. */
    void ends() {
        isCommitting = false;
        ended = nanoTime.getAsLong();
        took = ended - began;
        commits++;
    }

    /**
     * Enough was worked since the last commit.
     *
     * @param late how late what is to be committed was when it was worked on, in ns
     */
    boolean isDue(long late) {
        return nanoTime.getAsLong() - ended >= WORK_PER_COMMIT * Math.max(took, late);
    }

    /** How many there were. */
    long commits() {
        return commits;
    }
}
