package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Members of one gang whose failure is not judged yet. Ten thousand may fail within the time for
 * which a verdict waits, one event after another: each of those events costs O(log n).
 */
public final class UnjudgedFailures {
    private static final Comparator<Rank> IN_ORDER =
            Comparator.<Rank>comparingLong(rank -> rank.sight().failedAt())
                    .thenComparing(rank -> rank.id());

    private static final Comparator<Rank> STRONGEST_FIRST =
            Comparator.<Rank, Failure.Cause>comparing(rank -> failure(rank).cause())
                    .thenComparing(IN_ORDER);

    private final NavigableSet<Rank> strongestFirst = new TreeSet<>(STRONGEST_FIRST);
    private final NavigableSet<Rank> unseen = new TreeSet<>(IN_ORDER);

    /** It is one of them, if it is in the gang. */
    public static boolean isOne(Rank rank) {
        return rank.state() == RankState.FAILED && !rank.isLeaving();
    }

    void add(Rank failed) {
        strongestFirst.add(failed);
        unseen.add(failed);
    }

    void remove(Rank failed) {
        strongestFirst.remove(failed);
        unseen.remove(failed);
    }

    public boolean isEmpty() {
        return strongestFirst.isEmpty();
    }

    /** All, the one first that failed first, as far as anybody saw. */
    public List<Rank> all() {
        return strongestFirst.stream().sorted(IN_ORDER).toList();
    }

    /** Those that were not looked at yet; after a restore, all. */
    public SortedSet<Rank> unseen() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(unseen));
    }

    /** Whatever one of them alone means was dealt with. */
    public void looked() {
        unseen.clear();
    }

    /** The strongest cause, of equal ones the first; there is one. */
    public Failure strongest() {
        return failure(strongestFirst.first());
    }

    /** The verdict waits as long as the policy of the first says, whatever fails after it. */
    public Duration settle(JobSpec spec) {
        return spec.failureOf(Collections.min(strongestFirst, IN_ORDER).id().role()).settle();
    }

    /** What its pod told, or that it told nothing. */
    public static Failure failure(Rank rank) {
        var failure = rank.sight().failure();
        return failure == null ? Failure.lost(rank.id()) : failure;
    }
}
