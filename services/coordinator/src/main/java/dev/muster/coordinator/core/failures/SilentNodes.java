package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.jobs.DeadNodes;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Nodes of a gang that are not heard of while it is judged why its ranks ended. */
record SilentNodes(Tables tables) {
    /** The verdict waits so long when there is one. */
    static final Duration SETTLE = Duration.ofSeconds(60);

    /**
     * The first node that is not heard of, or left, with ranks that were to run there until now;
     * null: all are there.
     */
    @Nullable String of(Job job) {
        return tables.gang(job).members().stream()
                .filter(rank -> rank.state().isUnjudged())
                .filter(rank -> DeadNodes.isUnheardOf(tables, rank))
                .map(Rank::whereabouts)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /**
     * The one to whose silence a failure is charged; null: to none.
     *
     * @param blamed to which failures are charged that say nothing of it; null: none is
     */
    @Nullable String behind(Job job, Failure charged, @Nullable String blamed) {
        var rank = tables.gang(job).get(charged.rank());
        return rank != null && charged.isItsNodes() && DeadNodes.isUnheardOf(tables, rank)
                ? rank.whereabouts()
                : blamed;
    }

    /** A rank is where nobody is heard of, and that was charged already. */
    boolean isCharged(Job job, Rank rank) {
        var node = rank.whereabouts();
        int attempt = job.fences().attempt();
        return DeadNodes.isUnheardOf(tables, rank) && job.past().budgets().isCharged(attempt, node);
    }
}
