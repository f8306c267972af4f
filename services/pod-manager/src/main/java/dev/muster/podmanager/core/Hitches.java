package dev.muster.podmanager.core;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Since when something is in the way of jobs' plans, and whether their pools were told. For one
 * thread.
 */
public final class Hitches {
    /** Words with numbers in them change all the time, and every telling is news of the job. */
    private static final Duration UNTIL_OTHER_WORDS = Duration.ofMinutes(2);

    /**
     * The last one of a job.
     *
     * @param since when it became one that its pool was not told
     * @param told the words that its pool knows; null: none
     */
    private record Known(Hitch last, Instant since, @Nullable String told) {
        boolean is(Hitch hitch) {
            return last.reason().equals(hitch.reason());
        }

        boolean isTold() {
            return last.message().equals(told);
        }
    }

    private final Map<Submission, Known> known = new HashMap<>();

    /**
     * Something kept its plan from being carried out.
     *
     * @param onward some of what was to be done is: what came before counts no more
     * @return it has lasted, and its pool does not know it yet, or has long not known the words
     */
    public boolean isToBeTold(Submission job, Hitch hitch, boolean onward, Instant at) {
        var last = known.get(job);
        var before = last != null && last.is(hitch) ? last : null;
        var told = before == null ? null : before.told();
        var now =
                before == null || before.isTold() || onward
                        ? new Known(hitch, at, told)
                        : new Known(hitch, before.since(), told);
        known.put(job, now);
        var patience = told == null ? hitch.patience() : UNTIL_OTHER_WORDS;
        return !now.isTold() && !now.since().plus(patience).isAfter(at);
    }

    /** Its pool knows now what was in its way last. */
    public void told(Submission job) {
        known.computeIfPresent(
                job, (_, it) -> new Known(it.last(), it.since(), it.last().message()));
    }

    /** Its plan was carried out or refused. */
    public void over(Submission job) {
        known.remove(job);
    }

    public void drop(Predicate<Submission> which) {
        known.keySet().removeIf(which);
    }
}
