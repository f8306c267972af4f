package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Event.PlanHindered;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What pod-manager says is in the way of a job's plan, which holds until one is carried out. */
public final class PlanHitches {
    private PlanHitches() {}

    /** Pod-manager said it: its status says it, too, if it is another than before. */
    public static void told(Tables tables, Jobs jobs, Job job, PlanHindered said) {
        if (said.attempt() != job.fences().attempt() || Plans.isApplied(job)) {
            return;
        }
        var before = job.fences().hitch();
        var now = reason(said, tables.now());
        var why = before == null || now.isNewsAfter(before) ? now : now.since(before.since());
        if (!why.equals(before)) {
            tables.put(job.with(job.fences().hindered(why)));
            jobs.gather(job, Job.Due.STATUS);
        }
    }

    /** The newest plan was carried out. */
    public static void over(Tables tables, Jobs jobs, Job job) {
        boolean wasTold = job.fences().hitch() != null;
        tables.put(job.with(job.fences().applied(job.fences().plan())));
        if (wasTold) {
            jobs.gather(job, Job.Due.STATUS);
        }
    }

    /** Null: the newest plan is carried out, or nothing was said of it. */
    static @Nullable WaitReason reason(Job job) {
        return Plans.isApplied(job) ? null : job.fences().hitch();
    }

    private static WaitReason reason(PlanHindered said, Instant now) {
        return switch (said.hitch()) {
            case RIGHT_MISSING ->
                    reason(
                            "a role of the cluster that lets pod-manager do it; it tries again by"
                                    + " itself",
                            "pod-manager may not carry out its plan: " + said.message(),
                            now);
            case NOT_TAKEN ->
                    reason(
                            "that the API server takes it, or what is being deleted is gone;"
                                    + " pod-manager tries again by itself",
                            "its plan is not carried out so far: " + said.message(),
                            now);
            case EARLIER_PODS ->
                    ofPods(
                            said,
                            "that it ends; if its node is dead, force-delete with --uid of its"
                                    + " submission",
                            now);
            case STUCK_PODS -> ofPods(said, StuckPods.REMEDY, now);
        };
    }

    private static WaitReason ofPods(PlanHindered said, String remedy, Instant now) {
        return WaitReason.told(
                Code.EARLIER_PODS, said.job().fullName(), now, remedy, said.message());
    }

    private static WaitReason reason(String remedy, String message, Instant now) {
        return WaitReason.told(Code.POOL_UNAVAILABLE, "pod-manager", now, remedy, message);
    }
}
