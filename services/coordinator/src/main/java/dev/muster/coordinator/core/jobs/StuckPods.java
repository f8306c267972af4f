package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pods that were told to go and are still there, on nodes that are heard of. */
final class StuckPods {
    private StuckPods() {}

    /** Null: a job's pods have time to go, or none of them is known to be there. */
    static @Nullable WaitReason reason(Tables tables, Job job) {
        if (tables.alarms.get(Alarm.Kind.STUCK, job.id().toString()) != null) {
            return null;
        }
        var left = tables.gang(job).left().stream().filter(rank -> isThere(tables, rank)).toList();
        return left.isEmpty() ? null : reason(tables, left.getFirst(), left.size() - 1);
    }

    private static boolean isThere(Tables tables, Rank rank) {
        var node = tables.capacity.node(rank.making().node());
        return rank.sight().podUid() != null && node != null && node.ready();
    }

    private static WaitReason reason(Tables tables, Rank rank, int others) {
        var node = rank.making().node();
        return new WaitReason(
                Code.EARLIER_PODS,
                rank.id().toString(),
                null,
                tables.now(),
                "that its kubelet ends it and its finalizers, if it has any, are removed",
                "the pod of %s was told to go and is still there, on %s%s"
                        .formatted(
                                rank.id(),
                                node,
                                others == 0 ? "" : " (and %d more)".formatted(others)),
                List.of());
    }
}
