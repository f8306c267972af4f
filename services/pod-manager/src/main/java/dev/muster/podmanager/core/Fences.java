package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.PlannedPod;
import java.util.Map;
import java.util.Objects;

/**
 * Whether an object is of this plan, of an older one or of a newer one: submission first, then
 * attempt, incarnation, version.
 */
final class Fences {
    private Fences() {}

    /**
     * Made by a plan that we do not know yet.
     *
     * @param wanted the pods that the plan wants
     */
    static boolean isNewer(Seen object, Plan plan, Map<Rank, PlannedPod> wanted) {
        var mark = object.mark();
        if (mark == null || mark.offset() < plan.job().offset()) {
            return false;
        }
        if (mark.offset() > plan.job().offset() || mark.attempt() > plan.attempt()) {
            return true;
        }
        return mark.attempt() == plan.attempt()
                && (mark.plan() > plan.version() || isNewerMaking(mark, wanted));
    }

    private static boolean isNewerMaking(Mark mark, Map<Rank, PlannedPod> wanted) {
        var making = mark.making();
        if (making == null) {
            return false;
        }
        var planned = wanted.get(making.rank());
        return planned != null && planned.incarnation() < making.incarnation();
    }

    /** Of an older submission or attempt; what has the job's own name outlives attempts. */
    static boolean isPast(Seen object, Plan plan) {
        var mark = object.mark();
        return mark != null
                && (mark.offset() < plan.job().offset()
                        || (isOfAnAttempt(object.kind()) && mark.attempt() < plan.attempt()));
    }

    private static boolean isOfAnAttempt(Kind kind) {
        return switch (kind) {
            case POD, VOLCANO_GROUP, RESTART_REQUEST -> true;
            case SERVICE, DISRUPTION_BUDGET, HOST_LIST, LAUNCHING_SECRET -> false;
        };
    }

    /** A pod of ours that the plan does not want, or not this making of it. */
    static boolean isOver(Seen pod, Map<Rank, PlannedPod> wanted) {
        var making = making(pod);
        var planned = wanted.get(making.rank());
        return planned == null || planned.incarnation() != making.incarnation();
    }

    /** An object of ours that belongs to the plan's submission, whatever its attempt. */
    static boolean isOf(Seen object, Plan plan) {
        return mark(object).offset() == plan.job().offset();
    }

    /** Of an object of ours. */
    static Mark mark(Seen object) {
        return Objects.requireNonNull(object.mark());
    }

    /** Of a pod of ours. */
    static Mark.Making making(Seen pod) {
        return Objects.requireNonNull(mark(pod).making());
    }
}
