package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Pods of older submissions of a job's name, for which the newest one waits. */
public final class EarlierPods {
    private EarlierPods() {}

    /** No pod is made while one is there of an older submission of its name. */
    static @Nullable WaitReason reason(Tables tables, Job job) {
        if (!(job.state() instanceof JobState.Starting)) {
            return null;
        }
        for (var id : tables.olderThan(job.id())) {
            var older = tables.job(id);
            var left = older == null ? List.<Rank>of() : tables.gang(older).left();
            if (!left.isEmpty()) {
                var dead =
                        left.stream()
                                .filter(rank -> DeadNodes.isOnDeadNode(tables, rank))
                                .findFirst();
                var rank = dead.orElseGet(() -> left.iterator().next());
                return reason(job, rank, dead.isPresent());
            }
        }
        return null;
    }

    private static WaitReason reason(Job job, Rank left, boolean isDead) {
        var node = left.whereabouts();
        var uid = left.job().uid();
        return WaitReason.told(
                Code.EARLIER_PODS,
                left.job().toString(),
                Objects.requireNonNullElse(job.times().admitted(), job.times().submitted()),
                isDead
                        ? "its node comes back or is deleted, or force-delete with --uid " + uid
                        : "the end of that pod",
                "%s of the submission before, %s, is still there%s%s"
                        .formatted(
                                left.id(),
                                uid,
                                node.isEmpty() ? "" : " on " + node,
                                isDead ? ", which is not heard of" : ""));
    }

    /** What is left of this submission stands otherwise: whoever waits for it says so. */
    public static void changed(Tables tables, Jobs jobs, JobId older) {
        var newest = tables.newest(older.fullName());
        if (newest != null
                && !newest.id().equals(older)
                && newest.state() instanceof JobState.Starting) {
            jobs.gather(newest, Job.Due.STATUS);
        }
    }
}
