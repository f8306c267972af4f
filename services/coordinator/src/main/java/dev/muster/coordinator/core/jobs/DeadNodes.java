package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OnNode;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of pods on nodes that are not heard of, and which of them may be deleted without
 * their kubelet's word. It only reads; what becomes of their jobs {@link LostNodes} says.
 */
public final class DeadNodes {
    private DeadNodes() {}

    /** It is there and not ready; a node that is no more takes its pods along. */
    public static boolean isDead(Tables tables, String name) {
        var node = tables.capacity.node(name);
        return node != null && !node.ready();
    }

    /**
     * Its node is known not to be ready, or was known and is no more. Of a node that was never
     * known nothing is known: it may be another pool's, or its pod is bound to none yet.
     */
    public static boolean isOnDeadNode(Tables tables, Rank rank) {
        return isDead(tables, rank, rank.whereabouts());
    }

    /** The node that it is to have is dead, whether or not anything of it is there. */
    public static boolean isForDeadNode(Tables tables, Rank rank) {
        return isDead(tables, rank, rank.making().node());
    }

    /** Its node is dead, or may be: it has ceased to renew its lease. */
    public static boolean isUnheardOf(Tables tables, Rank rank) {
        var node = tables.capacity.node(rank.whereabouts());
        return node != null && node.silent() || isOnDeadNode(tables, rank);
    }

    private static boolean isDead(Tables tables, Rank rank, String name) {
        var node = tables.capacity.node(name);
        return node == null
                ? rank.making().nodeGone() && name.equals(rank.making().node())
                : !node.ready();
    }

    /** In this silence of its node: if that was heard of meanwhile, it is awaited anew. */
    static boolean isLostNow(Tables tables, Rank rank) {
        return rank.wasLostWithItsNode()
                && isDead(tables, rank.whereabouts())
                && (rank.givenUp() || !isAwaited(tables, rank));
    }

    private static boolean isAwaited(Tables tables, Rank rank) {
        return tables.wakings.isSet(Alarm.Kind.NODE_LOST, OnNode.of(rank));
    }

    /** It leaves, and its pod is left on a node that was given up: nobody waits for its end. */
    public static boolean isLeftBehind(Tables tables, Rank rank) {
        return rank.hasLeft(tables.now()) && isLostNow(tables, rank) && !rank.givenUp();
    }

    /** Else it still awaits there who had ended before, and is not known to be lost. */
    public static boolean isAllLost(Tables tables, Job job, OnNode there) {
        return tables.gang(job).left().stream()
                .filter(there::has)
                .allMatch(Rank::wasLostWithItsNode);
    }

    /** Somebody has given up all that is there, and nobody waits for it. */
    public static boolean isByWord(Tables tables, Job job, OnNode there) {
        var ranks =
                tables.gang(job).all().stream()
                        .filter(rank -> there.has(rank) && !rank.sight().gone())
                        .toList();
        return there.role() == null && !ranks.isEmpty() && ranks.stream().allMatch(Rank::givenUp);
    }

    /**
     * Of a job that has ended, and whose pods are kept that have: who may be forced there, since he
     * has not and was told to go.
     */
    public static List<RankId> ofEnded(Tables tables, Job job, OnNode there) {
        return tables.gang(job).left().stream()
                .filter(rank -> there.has(rank) && !rank.sight().over())
                .filter(rank -> job.spec().failureOf(rank.id().role()).nodeLost().force())
                .filter(_ -> job.spec().cleanup() != JobSpec.Cleanup.NONE)
                .map(Rank::id)
                .toList();
    }

    /** What it left on a silent node may be deleted without the kubelet's word. */
    public static boolean mayBeForced(Tables tables, Job job, Rank rank) {
        return rank.givenUp()
                || isLostNow(tables, rank)
                        && job.spec().failureOf(rank.id().role()).nodeLost().force();
    }

    /** Its pod may be there still, on a dead node, and is made again without its word. */
    public static boolean isForced(Tables tables, Job job, Rank rank) {
        return !rank.sight().over() && isOnDeadNode(tables, rank) && mayBeForced(tables, job, rank);
    }

    /**
     * Pods that somebody has given up and that are still there, on nodes that are still dead; and
     * those in whose place others were made by force, as long as that may not be carried out.
     */
    static List<ForcedPods> givenUp(Tables tables, Job job) {
        return tables.gang(job).left().stream()
                .map(rank -> givenUp(tables, rank))
                .filter(Objects::nonNull)
                .toList();
    }

    private static @Nullable ForcedPods givenUp(Tables tables, Rank rank) {
        return rank.givenUp() && (isOnDeadNode(tables, rank) || ForeignNodes.isOnOne(tables, rank))
                ? ForcedPods.of(rank.id())
                : replaced(rank);
    }

    /** What is there of makings of it in whose place another was made by force. */
    private static @Nullable ForcedPods replaced(Rank rank) {
        int before = forcedBefore(rank);
        return before == 0 ? null : new ForcedPods(rank.id(), before);
    }

    /**
     * What is there of makings of it before this incarnation is forced; 0: nothing is. All its pods
     * have one name: nothing of them is there once one of the newest was seen.
     */
    public static int forcedBefore(Rank rank) {
        var sight = rank.sight();
        return sight.podUid() == null && !sight.gone() ? rank.making().forced() : 0;
    }

    /**
     * Of a job that goes on: those of ranks that leave it, and are to be there no more; and those
     * of earlier makings of the others, unless the newest forces them itself.
     */
    static List<ForcedPods> forced(Tables tables, Job job) {
        return tables.gang(job).left().stream()
                .map(rank -> {
                    if (rank.isLeaving() && !job.wants(rank, tables.now())) {
                        return givenUp(tables, rank);
                    }
                    return rank.making().forces() ? null : replaced(rank);
                })
                .filter(Objects::nonNull)
                .toList();
    }
}
