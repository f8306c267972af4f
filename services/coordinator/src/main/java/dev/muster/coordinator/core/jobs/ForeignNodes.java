package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pods that are to go, and are on nodes that are not this pool's, as one that has moved to another.
 * As a rule their kubelets end them. Nobody here hears of it if such a node is dead: they are
 * forced by somebody's word alone.
 */
public final class ForeignNodes {
    private ForeignNodes() {}

    /** Ranks of a job whose pods are to go, and are left there. */
    public static List<RankId> left(Tables tables, Job job) {
        return ranks(tables, job).map(Rank::id).toList();
    }

    private static Stream<Rank> ranks(Tables tables, Job job) {
        return tables.gang(job).left().stream()
                .filter(rank -> job.isToGo(rank) && isOnOne(tables, rank));
    }

    /** Its pod was seen, and is on such a node; one that is not bound yet is on none. */
    static boolean isOnOne(Tables tables, Rank rank) {
        var node = rank.whereabouts();
        boolean isOwn = node.equals(rank.making().node());
        return (rank.sight().podUid() != null || !isOwn)
                && !node.isEmpty()
                && tables.capacity.node(node) == null
                && !(isOwn && rank.making().nodeGone());
    }

    /** What is said of the first of them; null: there are none. */
    public static @Nullable WaitReason reason(Tables tables, Job job) {
        return ranks(tables, job).findFirst().map(rank -> reason(tables, rank)).orElse(null);
    }

    private static WaitReason reason(Tables tables, Rank rank) {
        var node = rank.whereabouts();
        return WaitReason.told(
                Code.NODE_LOST,
                node,
                tables.now(),
                "its kubelet ends it, or, where that node is dead, force-delete what it holds",
                "the pod of %s is left on %s, which is not this pool's: it may be dead"
                        .formatted(rank.id(), node));
    }
}
