package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.jobs.Dependents;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Failure.Cause;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FirstRank;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that ended while the one where they meet was not there: they cannot do without it, and so
 * have fallen with it, however they ended. They are made again, and nobody is charged with them.
 */
final class MeetingPoint {
    private final Tables tables;
    private final Jobs jobs;
    private final SilentNodes silent;

    MeetingPoint(Tables tables, Jobs jobs, SilentNodes silent) {
        this.tables = tables;
        this.jobs = jobs;
        this.silent = silent;
    }

    /** What a user's rule, the cluster, or a critical index says of it comes first. */
    boolean isLackedBy(Job job, Failure failure) {
        var id = failure.rank();
        var policy = job.spec().failureOf(id.role());
        boolean isExit = failure.isBy(Cause.EXIT_CODE) || failure.isBy(Cause.SIGNAL);
        return isExit
                && job.spec().work().elastic() != null
                && policy.otherwise() == Otherwise.POD
                && policy.said(failure) == null
                && !job.spec().isCritical(id)
                && !job.spec().isMeetingPoint(id)
                && isAway(job, id.role());
    }

    /**
     * Of an elastic job's ranks that are to be made again those where others meet: they go first.
     */
    static List<Rank> among(Job job, List<Rank> returning) {
        return job.spec().work().elastic() == null
                ? List.of()
                : returning.stream().filter(rank -> job.spec().isMeetingPoint(rank.id())).toList();
    }

    /**
     * Of ranks that are to be made again those that would not fall again at once, at no charge and
     * so without end: where the one at which they meet cannot be made again, others wait for it.
     */
    List<Rank> ready(Job job, List<Rank> returning) {
        if (job.spec().work().elastic() == null) {
            return returning;
        }
        var without = new TreeSet<String>();
        for (var role : job.spec().roles()) {
            if (isToReturn(job, role.name())) {
                without.add(role.name());
            }
        }
        return returning.stream()
                .filter(rank -> !without.contains(rank.id().role()) || !hasFallen(job, rank))
                .toList();
    }

    boolean hasFallen(Job job, Rank rank) {
        var failure = rank.sight().failure();
        return failure != null && rank.sight().inPlace() == null && isLackedBy(job, failure);
    }

    /** It waits for nothing but room: one that waits for other roles may wait for those. */
    private boolean isToReturn(Job job, String role) {
        var first = first(job, role);
        return first != null
                && first.state() == RankState.RETURNING
                && !Dependents.free(tables, job, List.of(first)).isEmpty();
    }

    private boolean isAway(Job job, String role) {
        var first = first(job, role);
        return first != null
                && switch (first.state()) {
                    case ORDERED, PENDING, RETURNING -> true;
                    case RUNNING -> silent.isCharged(job, first);
                    case SUCCEEDED, FAILED, IGNORED -> false;
                };
    }

    /** Where those of a role meet; null: nowhere. */
    private @Nullable Rank first(Job job, String role) {
        var first = FirstRank.beside(role, job.spec());
        return job.spec().isMeetingPoint(first) ? tables.gang(job).get(first) : null;
    }

    /** With the one where they meet, or after a delay that grows as others do. */
    void fallen(Job job, List<Rank> ranks) {
        for (var rank : ranks) {
            var role = rank.id().role();
            var first = isToReturn(job, role) ? first(job, role) : null;
            var due = first == null ? delayed(tables.current(job), role) : first.sight().due();
            var s = rank.sight();
            tables.put(rank.with(s.returning(due, s.failure(), null)));
            if (first == null || !isTried(job)) {
                Remakes.wake(tables, job.id(), due == null ? tables.now() : due);
            }
        }
        jobs.gather(tables.current(job), Job.Due.PLAN_AND_STATUS);
    }

    /** What finds no room is tried without a delay. */
    private boolean isTried(Job job) {
        return tables.alarms.get(Alarm.Kind.ROOM, job.id().toString()) != null;
    }

    /** With those that returned last, if their delay still goes on. */
    private Instant delayed(Job job, String role) {
        var budgets = job.past().budgets();
        var delay = job.spec().failureOf(role).delay();
        var until = tables.now().plus(delay.after(budgets.inARow()));
        var last = budgets.until();
        if (last != null && last.isAfter(tables.now()) && last.isBefore(until)) {
            return last;
        }
        tables.put(job.with(job.past().charged(budgets.delayed(until))));
        return until;
    }
}
