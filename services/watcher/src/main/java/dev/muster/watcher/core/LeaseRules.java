package dev.muster.watcher.core;

import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;

/**
 * When a lease may be taken: nobody's time is trusted but one's own. A lease that did not change
 * for as long as it is given for, seen from here, has no holder any more.
 */
public final class LeaseRules {
    private final String identity;
    private final Duration duration;

    private String version = "";
    private Instant since = Instant.MAX;
    private Instant freeFrom = Instant.MAX;

    /**
     * @param identity by which this candidate is told from others
     * @param duration how long a lease is given for where it does not say so itself
     */
    public LeaseRules(String identity, Duration duration) {
        this.identity = identity;
        this.duration = duration;
    }

    /**
     * Whether the lease is free, or still in our name from a term that we gave up.
     *
     * @param lease as it was read at {@code now}
     */
    public boolean mayTake(Lease lease, Instant now) {
        var read = lease.getMetadata().getResourceVersion();
        if (!read.equals(version)) {
            version = read;
            since = now;
        }
        var spec = lease.getSpec();
        var holder = spec == null ? "" : requireNonNullElse(spec.getHolderIdentity(), "");
        if (spec == null || holder.isEmpty() || holder.equals(identity)) {
            return true;
        }
        var seconds = spec.getLeaseDurationSeconds();
        var given = seconds == null ? duration : Duration.ofSeconds(seconds);
        freeFrom = since.plus(given);
        return !freeFrom.isAfter(now);
    }

    /**
     * When the next look is worth its read: after {@code usual}, or before that at the moment from
     * which the lease that was read last may be taken, unless it is renewed.
     */
    public Duration nextLook(Instant now, Duration usual) {
        return freeFrom.isAfter(now) && freeFrom.isBefore(now.plus(usual))
                ? Duration.between(now, freeFrom)
                : usual;
    }
}
