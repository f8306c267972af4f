package dev.muster.watcher.core;

import java.time.Duration;
import java.time.Instant;

/** How one pool is kept up to date: by a snapshot first, and by changes from then on. */
final class Feed {
    private static final Duration FIRST_RETRY = Duration.ofMillis(200);
    private static final Duration LAST_RETRY = Duration.ofSeconds(30);

    /** A feed that went well for so long has its failures forgotten. */
    private static final Duration WELL = Duration.ofMinutes(1);

    private Pool pool;
    private boolean live;

    /** Live: since when. Else: from when on a snapshot may be sent. */
    private Instant since;

    private int failures;

    Feed(Pool pool, Instant now) {
        this.pool = pool;
        this.since = now;
    }

    Pool pool() {
        return pool;
    }

    /** The pool as it is now; in another inbox it starts anew. */
    void use(Pool now, Instant at) {
        if (!pool.hasInboxOf(now)) {
            startAnew(at);
        }
        pool = now;
    }

    /** Whether changes are told; if not, the next thing told is a snapshot. */
    boolean isLive() {
        return live;
    }

    boolean isDue(Instant now) {
        return !live && !since.isAfter(now);
    }

    Instant since() {
        return since;
    }

    void goLive(Instant now) {
        live = true;
        since = now;
    }

    void startAnew(Instant now) {
        live = false;
        since = now;
        failures = 0;
    }

    /**
     * A snapshot is needed because the world was listed again; a retry that waits goes on waiting.
     */
    void refresh(Instant now) {
        if (live) {
            live = false;
            since = now;
        }
    }

    void fail(Instant now) {
        if (!live) {
            return;
        }
        if (since.plus(WELL).isBefore(now)) {
            failures = 0;
        }
        var doubled = FIRST_RETRY.multipliedBy(1L << Math.min(failures, 16));
        since = now.plus(doubled.compareTo(LAST_RETRY) < 0 ? doubled : LAST_RETRY);
        failures++;
        live = false;
    }
}
