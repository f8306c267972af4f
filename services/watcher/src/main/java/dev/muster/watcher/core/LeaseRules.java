package dev.muster.watcher.core;

import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

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

    /** The version of the lease whose holder was found silent last. */
    private String silent = "";

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
     * Whether who has the lease that was read last, and may not be taken yet, tells nothing any
     * more: its term covers less than what the lease is given for by a whole {@code renewal}. True
     * once of each version.
     */
    public boolean fallsSilent(Instant now, Duration renewal) {
        if (silent.equals(version) || freeFrom.minus(renewal).isAfter(now)) {
            return false;
        }
        silent = version;
        return true;
    }

    /** Whether the lease that was read last had been found silent, and was not renewed since. */
    public boolean wasSilent() {
        return silent.equals(version);
    }

    /**
     * When the next look is worth its read: after {@code usual}, a renewal, or before that at the
     * moment from which the lease that was read last may be taken, or a renewal before that, unless
     * it is renewed.
     */
    public Duration nextLook(Instant now, Duration usual) {
        return Stream.of(freeFrom.minus(usual), freeFrom)
                .filter(moment -> moment.isAfter(now) && moment.isBefore(now.plus(usual)))
                .map(moment -> Duration.between(now, moment))
                .findFirst()
                .orElse(usual);
    }
}
