package dev.muster.coordinator.core.nodes;

import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.jobs.DeadNodes;
import dev.muster.coordinator.core.jobs.Siblings;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whether a gang that leaves its nodes could start somewhere else now, when those that are under
 * way already have come to where they fit.
 */
public final class Elsewhere {
    /** So many are under way at a time: the others wait for them. */
    public static final int MOST = 8;

    private final Tables tables;
    private final Eligibility eligibility;

    Elsewhere(Tables tables) {
        this.tables = tables;
        this.eligibility = tables.eligibility;
    }

    boolean isRoom(Job job) {
        if (!mayStartAgain(job)) {
            return false;
        }
        int underWay = 0;
        var room = new TreeMap<String, Amounts>();
        for (var id : tables.moving) {
            var mover = tables.job(id);
            if (mover != null && arrives(mover)) {
                underWay++;
                // One that fits nowhere now takes nothing, and keeps nobody.
                var _ = take(mover, room);
            }
        }
        return underWay < MOST && take(job, room) && isSomewhere(job);
    }

    /**
     * It is not whole, and may become so where it is: what failed settles, has a delay or comes up.
     * What finds no room beside the others comes only with them. While its pod may still be on a
     * dead node that it awaits, none of it can start anywhere else.
     */
    boolean isToBeWhole(Job job) {
        var gang = tables.gang(job);
        if (!gang.isImpaired()) {
            return false;
        }
        var returning = gang.returning();
        boolean isRoomless =
                !returning.isEmpty()
                        && returning.next(tables.now()) == null
                        && tables.wakings.isSet(Alarm.Kind.ROOM, job.id())
                        && returning.all().stream().allMatch(rank -> isFree(job, rank));
        boolean isRest =
                gang.tally().runs()
                        || gang.in(RankState.ORDERED).isEmpty()
                                && gang.in(RankState.PENDING).isEmpty();
        return !isRoomless || !isRest || !gang.casualties().isEmpty();
    }

    private boolean isFree(Job job, Rank rank) {
        return rank.sight().over()
                || !DeadNodes.isOnDeadNode(tables, rank)
                || DeadNodes.isForced(tables, job, rank);
    }

    /**
     * What runs goes on when its queue is paused or gets a lower limit; whoever leaves would not.
     */
    private boolean mayStartAgain(Job job) {
        var claim = eligibility.toStart(job, By.WAITING_JOB);
        return claim != null
                && eligibility.mayStart(claim.queue())
                && eligibility.couldEverStart(claim, tables.makeup(job).start());
    }

    /** One that waits while something besides room is in its way keeps nobody else. */
    private boolean arrives(Job mover) {
        return !(mover.state() instanceof JobState.Queued)
                || eligibility.mayStart(mover)
                        && eligibility.mayUse(mover, tables.makeup(mover).start(), By.WAITING_JOB);
    }

    /**
     * Gives back what it has, and takes what it needs; false: that is nowhere. Room on a node that
     * takes no pods is of use to nobody.
     */
    private boolean take(Job job, SortedMap<String, Amounts> room) {
        for (var rank : tables.gang(job).all()) {
            if (!rank.sight().released()) {
                var demand = job.spec().podOf(rank).demand();
                room.merge(rank.making().node(), demand, Amounts::plus);
            }
        }
        var beside = Siblings.besideOwn(tables, job).with(room);
        var placed = tables.capacity.placed(tables.makeup(job).start(), beside);
        if (placed == null) {
            return false;
        }
        placed.rooms(job.spec())
                .forEach((node, needs) ->
                        room.merge(node, Amounts.NONE.minus(needs), Amounts::plus));
        return true;
    }

    /** Where the pool knows nothing of room, some node at least has to take such pods. */
    private boolean isSomewhere(Job job) {
        return !tables.settings().spec().backing().delegated()
                || job.spec().roles().stream().allMatch(this::isSomewhere);
    }

    private boolean isSomewhere(JobSpec.Role role) {
        var spot = tables.settings().spec().spot();
        var filter = GangRequirements.filter(role, GangRequirements.onDemand(role) == 0, spot);
        return tables.capacity.nodes().stream()
                .anyMatch(node -> node.takesPods() && filter.accepts(node));
    }
}
