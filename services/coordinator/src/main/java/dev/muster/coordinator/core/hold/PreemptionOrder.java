package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.model.Job;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.BitSet;
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

    /** How many are looked at in all the questions together whether fewer are enough. */
    private static final int LOOKS = 40_000;

    /** Of very many it is asked so often at least. */
    private static final int LEAST_TRIALS = 20;

    /** Some of a list that follow each other. */
    private record Range(int from, int to) {
        int middle() {
            return (from + to + 1) / 2;
        }
    }

    private PreemptionOrder() {}

    static Instant started(Job job) {
        var admitted = job.times().admitted();
        return admitted == null ? Instant.EPOCH : admitted;
    }

    /**
     * Without those that turn out not to be needed, the best claim let off first; one at least
     * stays. Many who follow each other are let off at once; of very many, not all are asked about.
     *
     * @param chosen the weakest first; together they are enough
     */
    static <T> List<T> needed(List<T> chosen, Predicate<List<T>> areEnough) {
        var needed = new BitSet();
        needed.set(0, chosen.size());
        var open = new ArrayDeque<Range>();
        open.push(new Range(0, chosen.size()));
        int left = Math.max(LEAST_TRIALS, LOOKS / Math.max(1, chosen.size()));
        while (left > 0 && !open.isEmpty()) {
            var range = open.pop();
            var fewer = (BitSet) needed.clone();
            fewer.clear(range.from(), range.to());
            if (!fewer.isEmpty()) {
                left--;
                if (areEnough.test(of(chosen, fewer))) {
                    needed = fewer;
                    continue;
                }
            }
            if (range.to() - range.from() > 1) {
                open.push(new Range(range.from(), range.middle()));
                open.push(new Range(range.middle(), range.to()));
            }
        }
        return of(chosen, needed);
    }

    private static <T> List<T> of(List<T> all, BitSet some) {
        return some.stream().mapToObj(all::get).toList();
    }
}
