package dev.muster.watcher.core;

import java.time.Instant;

/**
 * One holding of a shard's lease, as its holder sees it. It ends before anybody else could begin
 * one, whether or not the API server can be asked.
 *
 * <p>For several threads.
 */
public final class Term {
    private final long epoch;
    private final Layout layout;
    private volatile Instant until;

    /**
     * @param epoch the resource version of the Lease write that won it
     * @param layout under which it was won
     * @param until when it ends unless it is extended
     */
    public Term(long epoch, Layout layout, Instant until) {
        this.epoch = epoch;
        this.layout = layout;
        this.until = until;
    }

    public long epoch() {
        return epoch;
    }

    public Layout layout() {
        return layout;
    }

    public Instant until() {
        return until;
    }

    public boolean covers(Instant now) {
        return now.isBefore(until);
    }

    public void extendTo(Instant later) {
        until = later;
    }

    public void end() {
        until = Instant.MIN;
    }
}
