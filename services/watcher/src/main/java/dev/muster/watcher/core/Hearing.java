package dev.muster.watcher.core;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether, and since when, a shard's holder hears of the cluster what it is to tell.
 *
 * <p>Not for several threads.
 */
public final class Hearing {
    /** A list or a watch that is refused once is tried again within it. */
    private static final Duration LONG = Duration.ofSeconds(5);

    /**
     * A watch that begins where the API server cannot go on is told so at once, and the client
     * waits for a second before it lists anew: until then it seems to watch.
     */
    private static final Duration SURE = Duration.ofSeconds(2);

    private boolean isDeaf;
    private @Nullable Instant since;

    /**
     * What is found now.
     *
     * @param deaf nothing is heard
     */
    public void found(boolean deaf, Instant now) {
        if (since == null || deaf != isDeaf) {
            isDeaf = deaf;
            since = now;
        }
    }

    /** Nothing is heard. */
    public boolean isDeaf() {
        return isDeaf;
    }

    /** So it is for so long that somebody else had better listen. */
    public boolean isDeafForLong(Instant now) {
        return isDeaf && lasts(LONG, now);
    }

    /** All is heard, and what was not while nothing was has been heard since. */
    public boolean isSure(Instant now) {
        return !isDeaf && lasts(SURE, now);
    }

    private boolean lasts(Duration time, Instant now) {
        return since != null && !since.plus(time).isAfter(now);
    }
}
