package dev.muster.coordinator.core;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are about to go: cordoned, or with a notice of their end. Elastic jobs leave them
 * before, as far as they stay at their minima, and grow again elsewhere.
 */
final class GoingNodes {
    /** Taints by which clouds and autoscalers announce the end of a node. */
    static final List<String> NOTICES =
            List.of(
                    "ToBeDeletedByClusterAutoscaler",
                    "aws-node-termination-handler/asg-lifecycle-termination",
                    "aws-node-termination-handler/rebalance-recommendation",
                    "aws-node-termination-handler/scheduled-maintenance",
                    "aws-node-termination-handler/spot-itn",
                    "cloud.google.com/impending-node-termination",
                    "karpenter.sh/disrupted",
                    "karpenter.sh/disruption",
                    "node.kubernetes.io/out-of-service",
                    "node.cloudprovider.kubernetes.io/shutdown");

    private final Tables tables;
    private final Jobs jobs;

    GoingNodes(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    void seen(@Nullable Node before, Node now) {
        if (!isGoing(now) || before != null && isGoing(before)) {
            return;
        }
        for (var id : tables.jobsWithRanks()) {
            look(id);
        }
    }

    private static boolean isGoing(Node node) {
        return node.unschedulable()
                || node.taints().stream().anyMatch(taint -> NOTICES.contains(taint.key()));
    }

    /** Takes the ranks of an elastic job off nodes that go, the highest indices first. */
    void look(JobId id) {
        var job = tables.job(id);
        var elastic = job == null ? null : job.spec().work().elastic();
        if (job == null || elastic == null || !job.state().isUp()) {
            return;
        }
        int least = Math.max(elastic.min(), tables.makeup(job).minimum(elastic.role()));
        var role = job.spec().role(elastic.role());
        var members = tables.gang(job).members(elastic.role());
        var leaving =
                members.reversed().stream()
                        .filter(rank -> !job.spec().isFirst(rank.id()))
                        .filter(rank -> isOnGoing(rank, role))
                        .limit(Math.max(0, members.size() - least))
                        .map(Rank::id)
                        .toList();
        if (!leaving.isEmpty()) {
            jobs.scalings().takeOut(job, leaving, Duration.ZERO);
            jobs.scalings().look(id);
            tables.startsAreDue();
        }
    }

    /** And such a pod would not be placed there again. */
    private boolean isOnGoing(Rank rank, JobSpec.Role role) {
        var node = tables.capacity.node(rank.making().node());
        return node != null && isGoing(node) && !(node.takesPods() && role.filter().accepts(node));
    }
}
