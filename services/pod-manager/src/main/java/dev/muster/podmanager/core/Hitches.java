package dev.muster.podmanager.core;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Since when something is in the way of jobs' plans, and what of that their pools were told. For
 * one thread.
 */
public final class Hitches {
    /** What lasts for less is nobody's concern, as a right that an API server grants in a moment. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private record Known(Instant since, @Nullable String told) {}

    private final Map<Submission, Known> known = new HashMap<>();

    /**
     * Something kept its plan from being carried out.
     *
     * @param reason a code
     * @param onward some of what was to be done is: what came before counts no more
     * @return it has lasted, and its pool does not know it yet
     */
    public boolean isToBeTold(Submission job, String reason, boolean onward, Instant now) {
        var before = known.get(job);
        if (before == null || onward) {
            before = new Known(now, before == null ? null : before.told());
            known.put(job, before);
        }
        return !reason.equals(before.told()) && !before.since().plus(PATIENCE).isAfter(now);
    }

    /** Its pool knows it now. */
    public void told(Submission job, String reason) {
        known.computeIfPresent(job, (_, before) -> new Known(before.since(), reason));
    }

    /** Its plan was carried out or refused, or is to be forgotten. */
    public void over(Submission job) {
        known.remove(job);
    }

    public void drop(Predicate<Submission> which) {
        known.keySet().removeIf(which);
    }
}
