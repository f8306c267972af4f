package dev.muster.coordinator.core.sights;

import dev.muster.coordinator.core.jobs.DeadNodes;
import dev.muster.coordinator.core.jobs.ForeignNodes;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OnNode;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Somebody's word that nothing of a job runs any more on nodes that are not heard of: what they
 * hold of it is deleted without their kubelets' word.
 */
public final class Fencing {
    private final Tables tables;
    private final Jobs jobs;
    private final Pods pods;

    public Fencing(Tables tables, Jobs jobs, Pods pods) {
        this.tables = tables;
        this.jobs = jobs;
        this.pods = pods;
    }

    /**
     * A job that still wants those pods counts them as lost and goes on by its failure policy.
     *
     * @return whose pods are deleted; none: there is no such pod
     */
    public List<RankId> force(Job job) {
        var ranks = onDeadNodes(job).stream().filter(id -> !isKept(job, id)).toList();
        if (ranks.isEmpty()) {
            return ranks;
        }
        if (job.state().isUp()) {
            giveUp(job, ranks);
        }
        var now = tables.current(job);
        if (now.state().isLeaving() || now.state() instanceof JobState.Ended) {
            jobs.force(now, ranks);
        } else if (!now.state().isUp()) {
            return List.of();
        } else if (now.state().grows() && !tables.gang(now).returning().isEmpty()) {
            // Those that waited for it do not wait any longer.
            tables.wakings.at(Alarm.Kind.REMAKE, job.id(), tables.now());
        }
        return ranks;
    }

    /**
     * What a job that leaves has on nodes that are not the pool's: whoever asks for this job alone
     * has seen that they are dead.
     *
     * @return whose pods are deleted
     */
    public List<RankId> forceElsewhere(Job job) {
        var ranks = ForeignNodes.left(tables, job);
        if (!ranks.isEmpty()) {
            jobs.force(job, ranks);
        }
        return ranks;
    }

    /** Ranks whose pods are on silent nodes, or on nodes that are no more. */
    private List<RankId> onDeadNodes(Job job) {
        return tables.gang(job).left().stream()
                .filter(rank -> DeadNodes.isOnDeadNode(tables, rank))
                .map(Rank::id)
                .toList();
    }

    /** Of an ended job finished pods may stay to be read; they are in nobody's way. */
    private boolean isKept(Job job, RankId id) {
        var rank = tables.gang(job).get(id);
        return job.state() instanceof JobState.Ended(_, var remains)
                && remains == Remains.KEPT
                && rank != null
                && rank.sight().over();
    }

    /** The newest submission before this one that leaves something on a dead node; null: none. */
    public @Nullable JobId earlier(JobId id) {
        for (var older : tables.olderThan(id)) {
            var job = tables.job(older);
            if (job != null && !onDeadNodes(job).isEmpty()) {
                return older;
            }
        }
        return null;
    }

    /** What follows for the ranks of one node is enough for one piece of work. */
    private void giveUp(Job job, List<RankId> ranks) {
        var nodes = new TreeSet<String>();
        for (var id : ranks) {
            var rank = tables.gang(job).get(id);
            if (rank != null) {
                nodes.add(rank.whereabouts());
                tables.put(rank.givingUp());
            }
        }
        var first = nodes.pollFirst();
        var next = tables.now().minusMillis(1); // All of it comes before a verdict that is due.
        for (var node : nodes) {
            tables.wakings.at(Alarm.Kind.NODE_LOST, new OnNode(job.id(), node, null), next);
        }
        if (first != null) {
            pods.giveUp(tables.current(job), new OnNode(job.id(), first, null));
        }
    }
}
