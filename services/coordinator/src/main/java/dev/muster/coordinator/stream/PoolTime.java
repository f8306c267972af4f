package dev.muster.coordinator.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a hosted pool has to be told that time has passed. What has elapsed counts from the last
 * record that it took in, by a monotonic clock; after a takeover it begins at zero.
 *
 * <p>Not thread-safe.
 */
final class PoolTime {
    /** A pool that has not seen what was sent to it is told again after so long. */
    static final Duration RESEND = Duration.ofSeconds(5);

    /** An append time that is so far ahead of what has elapsed is a broker's clock gone wrong. */
    static final Duration JUMP = Duration.ofMinutes(1);

    static final long NEVER = Long.MAX_VALUE;

    /**
     * How a pool stands after a record.
     *
     * @param now the pool's time
     * @param alarm when it next has something to do by itself; null: never
     * @param more it has something to do at once
     */
    record Stand(Instant now, @Nullable Instant alarm, boolean more) {}

    private Stand stand;
    private long since;
    private @Nullable Instant sent;
    private long sentAt;
    private @Nullable Instant lastAppended;
    private boolean wasFresh;

    PoolTime(Stand stand, long nanos) {
        this.stand = stand;
        since = nanos;
    }

    /**
     * A record was taken in.
     *
     * @param until of a {@code TimePassed}; null: it was something else
     */
    void tookIn(Stand stand, @Nullable Instant until, long nanos) {
        this.stand = stand;
        since = nanos;
        if (sent != null && until != null && !until.isBefore(sent)) {
            sent = null;
        }
    }

    /**
     * Whether the broker's clock has jumped ahead since the record before. Where that one had lain
     * for long, as in a backlog, nothing can be said.
     *
     * @param wall this machine's time
     */
    boolean hasJumped(Instant appended, Instant wall, long nanos) {
        boolean jumped =
                lastAppended != null
                        && wasFresh
                        && Duration.between(lastAppended, appended)
                                        .compareTo(JUMP.plusNanos(nanos - since))
                                > 0;
        lastAppended = appended;
        wasFresh = Duration.between(appended, wall).abs().compareTo(JUMP) < 0;
        return jumped;
    }

    /** In how many nanoseconds {@link #due} has something; {@link #NEVER} where nothing is set. */
    long nanosUntilDue(long nanos) {
        long wait = nanosUntilWanted(nanos);
        return sent == null || wait == NEVER
                ? wait
                : Math.max(wait, sentAt + RESEND.toNanos() - nanos);
    }

    private long nanosUntilWanted(long nanos) {
        if (stand.more()) {
            return 0;
        }
        if (stand.alarm() == null) {
            return NEVER;
        }
        return Math.max(0, nanosBetween(now(nanos), stand.alarm()));
    }

    private static long nanosBetween(Instant from, Instant to) {
        var between = Duration.between(from, to);
        return between.compareTo(Duration.ofDays(365)) > 0
                ? Duration.ofDays(365).toNanos()
                : between.toNanos();
    }

    /** What the pool is to be told now, which then counts as sent. */
    Optional<Instant> due(long nanos) {
        if (nanosUntilDue(nanos) > 0) {
            return Optional.empty();
        }
        sent = now(nanos);
        sentAt = nanos;
        return Optional.of(sent);
    }

    private Instant now(long nanos) {
        return stand.now().plusNanos(nanos - since);
    }
}
