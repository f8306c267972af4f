package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.jobs.Dependents;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.Meeting;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;

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

    boolean isLackedBy(Job job, Failure failure) {
        return Meeting.mayLack(job, failure) && isAway(job, failure.rank().role());
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
        var first = Meeting.first(tables, job, role);
        return first != null
                && first.state() == RankState.RETURNING
                && !Dependents.free(tables, job, List.of(first)).isEmpty();
    }

    private boolean isAway(Job job, String role) {
        var first = Meeting.first(tables, job, role);
        return first != null
                && switch (first.state()) {
                    case ORDERED, PENDING, RETURNING -> true;
                    case RUNNING -> silent.isCharged(job, first);
                    case SUCCEEDED, FAILED, IGNORED -> false;
                };
    }

    /** With the one where they meet, or after a delay that grows as others do. */
    void fallen(Job job, List<Rank> ranks) {
        for (var rank : ranks) {
            var role = rank.id().role();
            var first = isToReturn(job, role) ? Meeting.first(tables, job, role) : null;
            var due = first == null ? delayed(tables.current(job), role) : first.sight().due();
            var s = rank.sight();
            tables.put(rank.with(s.returning(due, s.failure(), null)));
            if (first == null || !isTried(job)) {
                Remakes.wake(tables, job.id(), due == null ? tables.now() : due);
            }
        }
        jobs.gather(job, Job.Due.PLAN_AND_STATUS);
    }

    /** What finds no room is tried without a delay. */
    private boolean isTried(Job job) {
        return tables.wakings.isSet(Alarm.Kind.ROOM, job.id());
    }

    /**
     * With the one where they meet, though that waits for other roles then, or with those that fell
     * before by the same policy: if their delay still goes on, and is over sooner.
     */
    private Instant delayed(Job job, String role) {
        var budgets = job.past().budgets();
        var spec = job.spec();
        var delay = spec.failureOf(role).delay();
        var judge = spec.judgeOf(role);
        var until = tables.now().plus(delay.after(budgets.inARow()));
        var first = Meeting.first(tables, job, role);
        var due =
                first == null || first.state() != RankState.RETURNING ? null : first.sight().due();
        if (due != null && due.isAfter(tables.now()) && due.isBefore(until)) {
            return due;
        }
        var before =
                tables.gang(job)
                        .returning()
                        .delayed(tables.now())
                        .filter(rank -> spec.judgeOf(rank.id().role()).equals(judge))
                        .filter(rank -> hasFallen(job, rank))
                        .findFirst()
                        .map(rank -> rank.sight().due());
        if (before.isPresent() && before.get().isBefore(until)) {
            return before.get();
        }
        tables.put(job.with(job.past().charged(budgets.delayed(until))));
        return until;
    }
}
