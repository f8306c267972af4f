package dev.muster.podmanager.core;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Since when something is in the way of jobs' plans, and whether their pools were told. For one
 * thread.
 */
public final class Hitches {
    private record Known(String reason, Instant since, boolean told) {}

    private final Map<Submission, Known> known = new HashMap<>();

    /**
     * Something kept its plan from being carried out.
     *
     * @param onward some of what was to be done is: what came before counts no more
     * @return it has lasted, and its pool does not know it yet
     */
    public boolean isToBeTold(Submission job, Hitch hitch, boolean onward, Instant now) {
        var before = known.get(job);
        if (before == null || !before.reason().equals(hitch.reason())) {
            before = new Known(hitch.reason(), now, false);
        } else if (onward) {
            before = new Known(before.reason(), now, before.told());
        }
        known.put(job, before);
        return !before.told() && !before.since().plus(hitch.patience()).isAfter(now);
    }

    /** Its pool knows now what was in its way last. */
    public void told(Submission job) {
        known.computeIfPresent(job, (_, it) -> new Known(it.reason(), it.since(), true));
    }

    /** Its plan was carried out or refused, or is to be forgotten. */
    public void over(Submission job) {
        known.remove(job);
    }

    public void drop(Predicate<Submission> which) {
        known.keySet().removeIf(which);
    }
}
