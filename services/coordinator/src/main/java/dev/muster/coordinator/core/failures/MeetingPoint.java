package dev.muster.coordinator.core.failures;

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
import java.util.List;

/**
 * Ranks that ended while the one where they meet was not there: they cannot do without it, and so
 * have fallen with it, however they ended. They are made again, and nobody is charged with them.
 */
final class MeetingPoint {
    private final Tables tables;
    private final Jobs jobs;

    MeetingPoint(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
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

    private boolean isAway(Job job, String role) {
        var first = FirstRank.beside(role, job.spec());
        var rank = job.spec().isMeetingPoint(first) ? tables.gang(job).get(first) : null;
        return rank != null
                && switch (rank.state()) {
                    case ORDERED, PENDING, RETURNING -> true;
                    case RUNNING, SUCCEEDED, FAILED, IGNORED -> false;
                };
    }

    /** With what returns already, or after a delay that grows as others do. */
    void fallen(Job job, List<Rank> ranks) {
        for (var rank : ranks) {
            var s = rank.sight();
            tables.put(rank.with(s.judged(RankState.RETURNING, s.released(), s.failure())));
        }
        var now = tables.current(job);
        var subject = job.id().toString();
        if (tables.alarms.get(Alarm.Kind.REMAKE, subject) == null) {
            var budgets = now.past().budgets();
            var delay = job.spec().failureOf(ranks.getFirst().id().role()).delay();
            var until = tables.now().plus(delay.after(budgets.inARow()));
            tables.put(now.with(now.past().charged(budgets.delayed(until))));
            tables.alarm(Alarm.Kind.REMAKE, subject, until);
        }
        jobs.gather(tables.current(job), new Job.Due(true, true));
    }
}
