package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.Words;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Pods that were told to go and are still there, on nodes that are not known to be dead. */
final class StuckPods {
    static final String REMEDY =
            "that its kubelet ends it and its finalizers, if it has any, are removed";

    private StuckPods() {}

    /** Null: a job's pods have time to go, or none of them is known to be there. */
    static @Nullable WaitReason reason(Tables tables, Job job) {
        if (tables.wakings.isSet(Alarm.Kind.STUCK, job.id())) {
            return null;
        }
        var left =
                tables.gang(job).left().stream()
                        .filter(rank -> job.isToGo(rank) && isThere(tables, rank))
                        .toList();
        return left.isEmpty() ? null : reason(tables, left.getFirst(), left.size() - 1);
    }

    /** The same of ranks that left a job which goes on; who waits for its word has not. */
    static @Nullable WaitReason ofThoseThatLeft(Tables tables, Job job) {
        var gang = tables.gang(job);
        if (!gang.isAnyLeaving() || Blindness.now(tables, job.id())) {
            return null;
        }
        var late =
                gang.left().stream()
                        .filter(rank -> rank.isLeaving() && !job.defers(rank))
                        .filter(rank -> !due(job, rank).isAfter(tables.now()))
                        .filter(rank -> isThere(tables, rank) || isElsewhere(tables, rank))
                        .toList();
        return late.isEmpty() ? null : reason(tables, late.getFirst(), late.size() - 1);
    }

    /** The pool is woken when the next of them has had its time. */
    static void wake(Tables tables, Job job) {
        tables.gang(job).left().stream()
                .filter(rank -> rank.isLeaving() && !rank.isUntold() && !job.defers(rank))
                .map(rank -> due(job, rank))
                .filter(due -> due.isAfter(tables.now()))
                .min(Instant::compareTo)
                .ifPresent(due -> tables.wakings.notLater(Alarm.Kind.LEFT, job.id(), due));
    }

    private static Instant due(Job job, Rank leaving) {
        var leaves = Objects.requireNonNull(leaving.tenure().leaves());
        return leaves.plus(job.spec().grace()).plus(JobAlarms.TO_GO);
    }

    private static boolean isThere(Tables tables, Rank rank) {
        var node = tables.capacity.node(rank.making().node());
        return rank.sight().podUid() != null && node != null && node.ready();
    }

    /**
     * On a node that is another pool's by now: its kubelet may end it, and nobody here hears it.
     */
    private static boolean isElsewhere(Tables tables, Rank rank) {
        return rank.sight().podUid() != null && ForeignNodes.isOnOne(tables, rank);
    }

    private static WaitReason reason(Tables tables, Rank rank, int others) {
        var node = rank.making().node();
        return WaitReason.told(
                Code.EARLIER_PODS,
                rank.id().toString(),
                tables.now(),
                REMEDY,
                "the pod of %s was told to go and is still there, on %s%s"
                        .formatted(rank.id(), node, Words.andMore(others)));
    }
}
