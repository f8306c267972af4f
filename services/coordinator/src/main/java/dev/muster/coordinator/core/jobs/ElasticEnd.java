package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.gang.GrowableJobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The end of an elastic role begins with the first success in it: those that run then have come to
 * the end of the work together, and nobody finds anyone any more to work with.
 */
public final class ElasticEnd {
    private final Tables tables;
    private final Jobs jobs;

    public ElasticEnd(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    /** The role has begun to end, and the job's success awaits all of it. */
    public static boolean isOn(Tables tables, Job job, String role) {
        return GrowableJobs.isEnding(job, tables.gang(job), role);
    }

    /**
     * A rank has succeeded. If it is the first, those leave that do not run, and those of them that
     * were to leave later do now: they cannot stay after all.
     */
    public void succeeded(Job job, Rank rank) {
        var role = rank.id().role();
        if (rank.isLeaving() || !isOn(tables, job, role)) {
            return;
        }
        var gang = tables.gang(job);
        var tally = gang.tally().byRole().get(role);
        if (tally == null || tally.succeeded() > 1) {
            return;
        }
        var late = gang.members(role).stream().filter(ElasticEnd::isToCome).map(Rank::id).toList();
        if (!late.isEmpty()) {
            jobs.departures().giveUp(job, late);
        }
        var sooner = gang.leaving(role).stream().filter(this::mayStay).toList();
        if (!sooner.isEmpty()) {
            jobs.departures().leaveNow(job, sooner);
        }
    }

    private boolean mayStay(Rank leaving) {
        return isToCome(leaving) && !leaving.hasLeft(tables.now());
    }

    private static boolean isToCome(Rank rank) {
        return switch (rank.state()) {
            case ORDERED, PENDING, RETURNING -> true;
            case RUNNING, SUCCEEDED, FAILED, IGNORED -> false;
        };
    }

    /** Those that failed since are not made again alone; the first of them, null: none did. */
    static @Nullable Rank failed(Tables tables, Job job) {
        var elastic = job.spec().work().elastic();
        if (elastic == null || !isOn(tables, job, elastic.role())) {
            return null;
        }
        return tables.gang(job).returning().firstFailed(elastic.role());
    }

    /** The first whose delay is over of those that failed since; null: there is none. */
    private @Nullable Rank due(Job job) {
        var failed = failed(tables, job);
        if (failed == null || failed.sight().failure() == null) {
            return null;
        }
        var due = failed.sight().due();
        return due == null || !due.isAfter(tables.now()) ? failed : null;
    }

    /** The whole gang is to start again, when the others have ended: nobody comes alone. */
    public boolean isToStartAgain(Job job) {
        return due(job) != null;
    }

    /**
     * The delay of ranks that failed is over. Of those that failed after the first success the
     * whole gang starts again, as soon as nobody runs any more who might still finish something.
     *
     * @return false: there are none
     */
    public boolean startsAgain(Job job) {
        var failed = due(job);
        var failure = failed == null ? null : failed.sight().failure();
        if (failed == null || failure == null) {
            return false;
        }
        var latest = latest(job, failed);
        var tally = tables.gang(job).tally().byRole().get(failed.id().role());
        if (tally != null && tally.running() > 0 && tables.now().isBefore(latest)) {
            var next = tables.now().plus(Alarm.RETRY_INTERVAL);
            var at = next.isBefore(latest) ? next : latest;
            tables.wakings.at(Alarm.Kind.REMAKE, job.id(), at);
        } else {
            var message = "%s, after others had succeeded".formatted(failure.message());
            jobs.on(job, new JobEvent.RestartDecided(tables.now(), failure.reason(), message));
        }
        return true;
    }

    /** Those that run have as long as a gang has to run, from when its delay is over. */
    private static Instant latest(Job job, Rank failed) {
        var due = failed.sight().due();
        var until = due == null ? job.past().budgets().until() : due;
        return until == null ? Instant.EPOCH : until.plus(job.spec().gang().timeout());
    }

    /** In words, while those that failed wait; null: none does. */
    static @Nullable WaitReason reason(Tables tables, Job job) {
        var failed = failed(tables, job);
        var failure = failed == null ? null : failed.sight().failure();
        return failed == null || failure == null
                ? null
                : WaitReason.told(
                        WaitReason.Code.BACKING_OFF,
                        failed.id().toString(),
                        tables.now(),
                        "the gang starts again when the others have ended, at the latest at "
                                + latest(job, failed),
                        "%s, after others had succeeded".formatted(failure.message()));
    }
}
