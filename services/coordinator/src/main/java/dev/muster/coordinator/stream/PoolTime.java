package dev.muster.coordinator.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a hosted pool has to be told that time has passed, or which core decides from here on. What
 * has elapsed counts from the last record that moved its time, by a monotonic clock: a broker whose
 * clock was set back moves it no more. After a takeover it begins at zero.
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
     * @param coreVersion that it is to hear of; null: it has heard
     */
    record Stand(
            Instant now, @Nullable Instant alarm, boolean more, @Nullable String coreVersion) {}

    private Stand stand;
    private long since;
    private @Nullable Instant sent;
    private long sentAt;
    private boolean versionSent;
    private long versionSentAt;
    private @Nullable Instant lastAppended;
    private long lastAppendedAt;
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
        if (stand.now().isAfter(this.stand.now())) {
            since = until == null ? nanos : Math.min(nanos, nanosAt(until, stand.now()));
        }
        this.stand = stand;
        if (sent != null && until != null && !until.isBefore(sent)) {
            sent = null;
        }
        if (stand.coreVersion() == null) {
            versionSent = false;
        }
    }

    /**
     * When it was {@code until} by what has elapsed, if the message that is waited for is what has
     * moved the pool: its way there is time that has passed, too.
     */
    private long nanosAt(Instant until, Instant now) {
        return sent == null || until.isBefore(sent) || !until.equals(now)
                ? NEVER
                : sentAt + nanosBetween(sent, until);
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
                                        .compareTo(JUMP.plusNanos(nanos - lastAppendedAt))
                                > 0;
        lastAppended = appended;
        lastAppendedAt = nanos;
        wasFresh = Duration.between(appended, wall).abs().compareTo(JUMP) < 0;
        return jumped;
    }

    /**
     * In how many nanoseconds {@link #due} or {@link #versionDue} has something; {@link #NEVER}
     * where nothing is set.
     */
    long nanosUntilDue(long nanos) {
        return Math.min(nanosUntilTimeDue(nanos), nanosUntilVersionDue(nanos));
    }

    private long nanosUntilVersionDue(long nanos) {
        if (stand.coreVersion() == null) {
            return NEVER;
        }
        return versionSent ? Math.max(0, versionSentAt + RESEND.toNanos() - nanos) : 0;
    }

    private long nanosUntilTimeDue(long nanos) {
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

    /** The core's version if the pool is to hear of it now, which then counts as sent. */
    Optional<String> versionDue(long nanos) {
        if (nanosUntilVersionDue(nanos) > 0) {
            return Optional.empty();
        }
        versionSent = true;
        versionSentAt = nanos;
        return Optional.ofNullable(stand.coreVersion());
    }

    /** The time if the pool is to be told now that it has come, which then counts as sent. */
    Optional<Instant> due(long nanos) {
        if (nanosUntilTimeDue(nanos) > 0) {
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
