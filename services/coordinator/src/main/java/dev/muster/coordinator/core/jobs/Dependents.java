package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.gang.Gang;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.DependsOn;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Ranks of roles that wait for others to run or to be ready: they are made again only while those
 * do, as at the start. Until then they keep their room.
 */
public final class Dependents {
    private Dependents() {}

    /** Of ranks that are to be made again those that await no others. */
    public static List<Rank> free(Tables tables, Job job, List<Rank> returning) {
        return those(tables, job, returning, false);
    }

    /** And those that do. */
    public static List<Rank> waiting(Tables tables, Job job, List<Rank> returning) {
        return those(tables, job, returning, true);
    }

    /** Of those that do whose room is lost, with nothing left in it. */
    public static List<Rank> roomless(Tables tables, Job job, List<Rank> returning) {
        return waiting(tables, job, returning).stream()
                .filter(rank -> isNothingLeft(job, rank) && !hasRoom(tables, rank))
                .toList();
    }

    /** Its pod is gone, or was never ordered. */
    private static boolean isNothingLeft(Job job, Rank rank) {
        return rank.sight().gone() || !job.past().opened().contains(rank.id().role());
    }

    /** It may go back to where it was. */
    public static boolean hasRoom(Tables tables, Rank rank) {
        var node = tables.capacity.node(rank.making().node());
        return !rank.sight().released() && node != null && node.ready();
    }

    private static List<Rank> those(Tables tables, Job job, List<Rank> returning, boolean waiting) {
        var bound = new TreeSet<String>();
        for (var role : job.spec().roles()) {
            if (missing(tables, job, role.name()) != null) {
                bound.add(role.name());
            }
        }
        return returning.stream()
                .filter(rank -> waiting == (bound.contains(rank.id().role()) && !isUnderWay(rank)))
                .toList();
    }

    /** The kubelet has started it again; or its container runs, and may not outlive the others'. */
    private static boolean isUnderWay(Rank rank) {
        return rank.is(InPlace.DONE) || rank.is(InPlace.WANTED) && rank.sight().failure() == null;
    }

    private static @Nullable DependsOn missing(Tables tables, Job job, String role) {
        return job.spec().role(role).dependsOn().isEmpty()
                ? null
                : tables.makeup(job).missing(role, tables.gang(job).tally().byRole());
    }

    /** What waited for others alone is made again at once when those are there. */
    public static void follow(Tables tables, JobId id) {
        var job = tables.job(id);
        if (job != null && job.state().grows() && areDue(tables, job)) {
            tables.wakings.at(Alarm.Kind.REMAKE, id, tables.now());
        }
    }

    /** What finds no room has an alarm that others come with. */
    private static boolean areDue(Tables tables, Job job) {
        var gang = tables.gang(job);
        return !gang.returning().isEmpty()
                && !isWoken(tables, job.id())
                && !tables.wakings.isSet(Alarm.Kind.ROOM, job.id())
                && job.spec().roles().stream()
                        .filter(role -> !role.dependsOn().isEmpty())
                        .filter(role -> !dueOf(tables, gang, role.name()).isEmpty())
                        .anyMatch(role -> missing(tables, job, role.name()) == null);
    }

    /** It looks at once; where it is woken later, that is for others. */
    private static boolean isWoken(Tables tables, JobId job) {
        var delay = tables.wakings.of(Alarm.Kind.REMAKE, job);
        return delay != null && !delay.isAfter(tables.now());
    }

    private static List<Rank> dueOf(Tables tables, Gang gang, String role) {
        return gang.returning().due(role, 1, tables.now());
    }

    /** Why the first of them is not made again yet; null: none waits for others. */
    public static @Nullable WaitReason reason(Tables tables, Job job) {
        for (var role : job.spec().roles()) {
            var missing = missing(tables, job, role.name());
            var returning =
                    missing == null
                            ? List.<Rank>of()
                            : tables.gang(job).returning().of(role.name(), 1);
            if (missing != null && !returning.isEmpty() && !isUnderWay(returning.getFirst())) {
                return reason(tables, job, returning.getFirst(), missing);
            }
        }
        return null;
    }

    /**
     * Why one that waits for others has no room for when they are there.
     *
     * @param lack what is in its way
     */
    static WaitReason reason(Tables tables, Job job, Rank rank, WaitReason lack) {
        var missing = missing(tables, job, rank.id().role());
        if (missing == null) {
            return lack;
        }
        var wait = reason(tables, job, rank, missing);
        return new WaitReason(
                lack.code(),
                lack.scope(),
                lack.shortage(),
                lack.since(),
                "%s; then %s".formatted(lack.remedy(), wait.remedy()),
                "%s; its room is lost: %s".formatted(wait.message(), lack.message()),
                lack.nearest());
    }

    private static WaitReason reason(Tables tables, Job job, Rank rank, DependsOn missing) {
        var other = tables.gang(job).tally().byRole().get(missing.role());
        boolean mustBeReady = missing.until() == Milestone.READY;
        int need = tables.makeup(job).minimum(missing.role());
        int have = other == null ? 0 : mustBeReady ? other.fineAndReady() : other.fine();
        var verb = mustBeReady ? "be ready" : "run";
        return WaitReason.told(
                Code.WAITING_FOR_DEPENDENCY,
                rank.id().toString(),
                tables.now(),
                "that %d of %s %s"
                        .formatted(need, missing.role(), mustBeReady ? "are ready" : "run"),
                "%s is to be made again, and waits for %s to %s: %d of %d"
                        .formatted(rank.id(), missing.role(), verb, have, need));
    }
}
