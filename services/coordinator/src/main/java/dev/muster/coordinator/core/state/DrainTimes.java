package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long processes of ranks that leave have to end by themselves, where nobody has said it. Who
 * stands in no host list has no time: there is nobody who would take work from it.
 */
public final class DrainTimes {
    /** The grace period of a template that names none. */
    public static final Duration DEFAULT = Duration.ofSeconds(30);

    /** At most, on a node that has an end: by then, what still runs should have been told. */
    public static final Duration BEFORE_NODE_GOES = Duration.ofSeconds(10);

    private DrainTimes() {}

    /**
     * @param said null: nothing was said
     */
    public static Duration of(Tables tables, Job job, Rank rank, @Nullable Duration said) {
        return said == null ? usual(tables, job, rank) : said;
    }

    private static Duration usual(Tables tables, Job job, Rank rank) {
        if (!job.spec().work().hostList() || rank.state() != RankState.RUNNING) {
            return Duration.ZERO;
        }
        var grace = ofTemplate(job, rank);
        var node = tables.capacity.node(rank.making().node());
        boolean isHurried = node != null && tables.settings().hasEnd(node);
        return isHurried && grace.compareTo(BEFORE_NODE_GOES) > 0 ? BEFORE_NODE_GOES : grace;
    }

    /** What its pod's template gives it. */
    private static Duration ofTemplate(Job job, Rank rank) {
        var grace = job.spec().role(rank.id().role()).pod().grace();
        return grace == null ? DEFAULT : grace;
    }

    /**
     * What a worker is given that ends with its work, and so is told to go at once.
     *
     * @param left until its pod is deleted whatever it is
     */
    public static Duration ofAgent(Job job, Rank rank, Duration left) {
        // Where its node hurries the others, it has what its template gives it.
        var grace = ofTemplate(job, rank);
        return !rank.tenure().isTaken() && left.compareTo(grace) < 0 ? grace : left;
    }
}
