package dev.muster.coordinator.core;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Who gives way to the pool's holder first, and who is let off. */
final class PreemptionOrder {
    /** Of the lowest priority first, and of those the youngest. */
    static final Comparator<Job> WEAKEST_FIRST =
            Comparator.comparingInt((Job job) -> job.spec().place().priority())
                    .thenComparing(PreemptionOrder::started, Comparator.reverseOrder())
                    .thenComparing(Job::id);

    /** So many are asked about. */
    private static final int LET_OFF = 200;

    private PreemptionOrder() {}

    static Instant started(Job job) {
        var admitted = job.times().admitted();
        return admitted == null ? Instant.EPOCH : admitted;
    }

    /**
     * Without those that turn out not to be needed, the best claim let off first; one at least
     * stays. Of very many, only the best claims are looked at.
     *
     * @param chosen the weakest first; together they are enough
     */
    static <T> List<T> needed(List<T> chosen, Predicate<List<T>> areEnough) {
        var needed = new ArrayList<>(chosen);
        for (var one : chosen.reversed().subList(0, Math.min(LET_OFF, chosen.size()))) {
            var fewer = new ArrayList<>(needed);
            fewer.remove(one);
            if (!fewer.isEmpty() && areEnough.test(fewer)) {
                needed = fewer;
            }
        }
        return needed;
    }
}
