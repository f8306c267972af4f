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
     * @param told what its pool knows; null: nothing
     */
    private record Known(Hitch last, Instant since, @Nullable Words told) {
        boolean is(Hitch hitch) {
            return last.reason().equals(hitch.reason());
        }

        boolean isTold() {
            return told != null && last.message().equals(told.message());
        }

        /** What was said of a plan that was carried out, or of an attempt before, nobody heard. */
        Known under(Plan plan) {
            return isToldOf(plan) ? this : new Known(last, since, null);
        }

        boolean isToldOf(Plan plan) {
            return told != null && told.plan() == plan.version();
        }
    }

    /** What a pool was told of a plan. */
    private record Words(long plan, String message) {}

    private final Map<Submission, Known> known = new HashMap<>();

    /**
     * Something kept this plan from being carried out.
     *
     * @param onward some of what was to be done is: what came before counts no more
     * @return it has lasted, and its pool does not know it yet, or has long not known the words
     */
    public boolean isToBeTold(Plan plan, Hitch hitch, boolean onward, Instant at) {
        var last = known.get(plan.job());
        var before = last != null && last.is(hitch) ? last.under(plan) : null;
        var told = before == null ? null : before.told();
        var now =
                before == null || before.isTold() || onward
                        ? new Known(hitch, at, told)
                        : new Known(hitch, before.since(), told);
        known.put(plan.job(), now);
        var patience = told == null ? hitch.patience() : UNTIL_OTHER_WORDS;
        return !now.isTold() && !now.since().plus(patience).isAfter(at);
    }

    /** The plan's pool knows now, or is about to, what was in its way last. */
    public void told(Plan plan) {
        known.computeIfPresent(
                plan.job(),
                (_, it) ->
                        new Known(
                                it.last(),
                                it.since(),
                                new Words(plan.version(), it.last().message())));
    }

    /**
     * It did not arrive, and is told again: if it has lasted meanwhile, after as long once more.
     */
    public void notTold(Plan plan) {
        known.computeIfPresent(
                plan.job(),
                (_, it) -> it.isToldOf(plan) ? new Known(it.last(), it.since(), null) : it);
    }

    /** Its plan was carried out or refused. */
    public void over(Submission job) {
        known.remove(job);
    }

    public void drop(Predicate<Submission> which) {
        known.keySet().removeIf(which);
    }
}
