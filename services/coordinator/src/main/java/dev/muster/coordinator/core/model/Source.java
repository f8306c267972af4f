package dev.muster.coordinator.core.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One of those who see for the pool: a watcher shard, or the pod-manager of a partition of plans.
 *
 * @param epoch of a watcher's lease
 * @param heard last time
 * @param blind how long in all it was not heard of
 * @param blindSince what happened since then it has not told yet; null: it told all
 * @param snapshot being sent now; null: none
 * @param snapshotFrom tick at which that began
 */
public record Source(
        Kind kind,
        int number,
        long epoch,
        Instant heard,
        Duration blind,
        @Nullable Instant blindSince,
        @Nullable String snapshot,
        long snapshotFrom)
        implements Row {
    /** Alive is said every 5 s: three in a row were missed. */
    static final Duration SILENCE = Duration.ofSeconds(15);

    public enum Kind {
        WATCHER,
        PLANS
    }

    /** Blind until it has told what is there. */
    public static Source first(Kind kind, int number, long epoch, Instant now) {
        return new Source(kind, number, epoch, now, Duration.ZERO, now, null, -1);
    }

    /**
     * Heard again. The same epoch goes on where it was, since its sends keep their order; a new one
     * is blind until it has told all that is there.
     */
    public Source heard(long epoch, Instant now) {
        boolean goesOn = epoch == this.epoch;
        if (kind == Kind.PLANS || (goesOn && blindSince == null)) {
            return with(epoch, now, blindUntil(now), null);
        }
        var since = blindSince != null ? blindSince : isSilent(now) ? heard : now;
        return goesOn
                ? with(epoch, now, blind, since)
                : new Source(kind, number, epoch, now, blind, since, null, -1);
    }

    private Source with(long epoch, Instant heard, Duration blind, @Nullable Instant blindSince) {
        return new Source(kind, number, epoch, heard, blind, blindSince, snapshot, snapshotFrom);
    }

    /** What it says has another meaning from now on: blind until it has told what is there. */
    public Source anew(Instant now) {
        var since = blindSince != null ? blindSince : isSilent(now) ? heard : now;
        return new Source(kind, number, epoch, heard, blind, since, null, -1);
    }

    /** Blind for so much more, which another one was. */
    public Source blindFor(Duration more) {
        return new Source(
                kind, number, epoch, heard, blind.plus(more), blindSince, snapshot, snapshotFrom);
    }

    public Source begins(String snapshot, long tick) {
        return new Source(kind, number, epoch, heard, blind, blindSince, snapshot, tick);
    }

    public Source ends(Instant now) {
        var missed = blindSince == null ? Duration.ZERO : Duration.between(blindSince, now);
        return new Source(kind, number, epoch, heard, blind.plus(missed), null, null, -1);
    }

    boolean isSilent(Instant now) {
        return Duration.between(heard, now).compareTo(SILENCE) > 0;
    }

    public boolean isBlind(Instant now) {
        return blindSince != null || isSilent(now);
    }

    /** How long in all it was blind until {@code now}. */
    public Duration blindUntil(Instant now) {
        var since = blindSince != null ? blindSince : isSilent(now) ? heard : null;
        return since == null ? blind : blind.plus(Duration.between(since, now));
    }

    @Override
    public Key key() {
        return new Key(Table.SOURCE, kind + "/" + number);
    }
}
