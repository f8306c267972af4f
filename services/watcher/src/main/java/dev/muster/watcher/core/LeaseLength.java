package dev.muster.watcher.core;

import java.time.Duration;
import java.time.Instant;

/**
 * For how long a lease is asked for: as configured, and longer while the API server is slow, so
 * that a holder does not lose it, and with it all that follows a takeover, only because each answer
 * takes its time. A shard that was held so is taken over later, by as much, if its holder dies.
 *
 * <p>Not for several threads.
 */
public final class LeaseLength {
    /** As Kubernetes' own components hold theirs; whoever configures more has more. */
    private static final Duration LONGEST = Duration.ofSeconds(15);

    /**
     * A renewal begins a pause after the one before was answered, and has two answers where the
     * layout is asked for, too.
     */
    private static final int ANSWERS = 3;

    /** That pause, and the one by which its holder trusts a lease for less long. */
    private static final int PAUSES = 2;

    /** A slow answer is remembered for as long at least, and for twice as long at most. */
    private static final Duration MEMORY = Duration.ofSeconds(10);

    private final Duration configured;
    private final Duration every;

    private Duration slowest = Duration.ZERO;
    private Duration slowestBefore = Duration.ZERO;
    private Instant since = Instant.MIN;

    /**
     * @param configured the least, in whole seconds
     * @param every how often it is renewed; less than half of that
     */
    public LeaseLength(Duration configured, Duration every) {
        this.configured = configured;
        this.every = every;
    }

    /**
     * The API server answered, or was waited for in vain.
     *
     * @param took how long that was
     */
    public void answered(Duration took, Instant now) {
        if (!now.isBefore(since.plus(MEMORY))) {
            slowestBefore =
                    now.isBefore(since.plus(MEMORY.multipliedBy(2))) ? slowest : Duration.ZERO;
            slowest = Duration.ZERO;
            since = now;
        }
        slowest = longer(slowest, took);
    }

    /** How long a lease is to be given for that is written now, in whole seconds. */
    public Duration given() {
        var wanted =
                longer(slowest, slowestBefore)
                        .multipliedBy(ANSWERS)
                        .plus(every.multipliedBy(PAUSES));
        var most = longer(configured, LONGEST);
        if (wanted.compareTo(configured) <= 0) {
            return configured;
        }
        var whole = Duration.ofSeconds(wanted.plusSeconds(1).minusNanos(1).toSeconds());
        return whole.compareTo(most) < 0 ? whole : most;
    }

    /** How long its holder trusts such a write, and waits for an answer. */
    public Duration patience() {
        return given().minus(every);
    }

    private static Duration longer(Duration some, Duration other) {
        return some.compareTo(other) < 0 ? other : some;
    }
}
