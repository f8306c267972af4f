package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.gang.ScaleOutRanks;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.state.QuotaShortage;
import dev.muster.coordinator.core.state.Quotas;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Quotas.Claim;
import dev.muster.coordinator.core.state.Tables;
import org.jspecify.annotations.Nullable;

/**
 * Who comes in the place of an elastic job's ranks that are lost with their nodes: nobody knows
 * whether their pods still run, so that others come, with other indices. It only reads.
 */
public final class Successors {
    private final Tables tables;
    private final Siblings siblings;
    private final Quotas quotas;

    public Successors(Tables tables) {
        this.tables = tables;
        this.siblings = new Siblings(tables);
        this.quotas = tables.quotas;
    }

    /** Another may come in its place, though its pod may still be there. */
    public static boolean mayCome(Tables tables, Job job, Rank rank) {
        return job.spec().work().isElastic(rank.id().role())
                && !job.spec().isMeetingPoint(rank.id())
                && !ElasticEnd.isOn(tables, job, rank.id().role())
                && !rank.sight().over()
                && DeadNodes.isOnDeadNode(tables, rank)
                && rank.wasLostWithItsNode();
    }

    /** It may go though nobody comes. */
    public boolean isSpare(Job job, Rank rank) {
        var elastic = job.spec().work().elastic();
        return elastic != null
                && tables.gang(job).count(rank.id().role()) > tables.makeup(job).least(elastic);
    }

    /**
     * Where its successor goes; null: nowhere now.
     *
     * @param search in all that may be used for what failed
     */
    public @Nullable Placed fit(Job job, Rank rank, Siblings.Search search) {
        var shape = shape(job, rank);
        // What a command of scale lacks comes together, and this with it.
        return ScaleOutRanks.isTogether(job, tables.gang(job), rank) || excess(job, shape) != null
                ? null
                : search.of(shape, siblings.of(job, shape));
    }

    private Shape shape(Job job, Rank rank) {
        return siblings.successor(job, rank);
    }

    private @Nullable QuotaShortage excess(Job job, Shape shape) {
        var queue = tables.queue(job.spec().queue());
        var use = tables.makeup(job).use(shape);
        return queue == null
                ? null
                : quotas.check(new Claim(queue, job.id().namespace(), use, By.RETURNING_JOB));
    }

    /** Why nobody comes now, in words; null: nothing is in the way. */
    @Nullable String lack(Job job, Rank rank) {
        var shape = shape(job, rank);
        var excess = excess(job, shape);
        if (excess != null) {
            return excess.message();
        }
        return tables.capacity.fit(shape, siblings.of(job, shape)) instanceof Short why
                ? why.message()
                : null;
    }
}
