package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Failure.Cause;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FirstRank;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.state.Tables;
import org.jspecify.annotations.Nullable;

/** Ranks that train together meet at one of them, and cannot do without it. */
public final class Meeting {
    private Meeting() {}

    /** Where those of a role meet; null: nowhere. */
    public static @Nullable Rank first(Tables tables, Job job, String role) {
        var first = FirstRank.beside(role, job.spec());
        return job.spec().isMeetingPoint(first) ? tables.gang(job).get(first) : null;
    }

    /**
     * It may have ended so for lack of that one. What a user's rule, the cluster, or a critical
     * index says of it comes first.
     */
    public static boolean mayLack(Job job, Failure failure) {
        var id = failure.rank();
        var policy = job.spec().failureOf(id.role());
        boolean isExit = failure.isBy(Cause.EXIT_CODE) || failure.isBy(Cause.SIGNAL);
        return isExit
                && job.spec().work().elastic() != null
                && policy.otherwise() == Otherwise.POD
                && policy.said(failure) == null
                && !job.spec().isCritical(id)
                && !job.spec().isMeetingPoint(id);
    }

    /** It is to be made again, and has failed for lack of one that is not there yet. */
    static boolean awaitsFirst(Tables tables, Job job, Rank rank) {
        var failure = rank.sight().failure();
        var first = first(tables, job, rank.id().role());
        return failure != null
                && rank.sight().inPlace() == null
                && first != null
                && mayLack(job, failure)
                && switch (first.state()) {
                    case ORDERED, PENDING, RETURNING -> true;
                    case RUNNING, SUCCEEDED, FAILED, IGNORED -> false;
                };
    }
}
