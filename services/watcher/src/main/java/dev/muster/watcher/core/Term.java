package dev.muster.watcher.core;

import java.time.Instant;

/**
 * One holding of a shard's lease, as its holder sees it. What it covers ends before anybody else
 * could begin one, whether or not the API server can be asked. It goes on where it was if it is
 * extended after that, which says that nobody has.
 *
 * <p>For several threads.
 */
public final class Term {
    private final long epoch;
    private final Layout layout;
    private final boolean foreseen;
    private volatile Instant until;
    private volatile boolean ended;

    /**
     * @param epoch the resource version of the Lease write that won it
     * @param layout under which it was won
     * @param foreseen it was said before that it may come, when the holder before told nothing any
     *     more
     * @param until how long it covers unless it is extended
     */
    public Term(long epoch, Layout layout, boolean foreseen, Instant until) {
        this.epoch = epoch;
        this.layout = layout;
        this.foreseen = foreseen;
        this.until = until;
    }

    public long epoch() {
        return epoch;
    }

    public Layout layout() {
        return layout;
    }

    /** What was listed since that was said is as the holder before left it, or newer. */
    public boolean isForeseen() {
        return foreseen;
    }

    public Instant until() {
        return until;
    }

    /** Nobody else can have the lease now. */
    public boolean covers(Instant now) {
        return !ended && now.isBefore(until);
    }

    /** Nobody has had the lease until now, or can have it until then. */
    public void extendTo(Instant later) {
        until = later;
    }

    /** From then on somebody else may have the lease, whatever was said before. */
    public void endBy(Instant latest) {
        if (latest.isBefore(until)) {
            until = latest;
        }
    }

    public void end() {
        ended = true;
    }

    /** It covers nothing any more, and never will again. */
    public boolean hasEnded() {
        return ended;
    }
}
