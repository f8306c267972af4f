package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is given up for the pool's holder: what elastic jobs have beyond their minima and, where
 * that is not enough and the pool preempts, the fewest gangs on top of it. Of the former then only
 * what it still takes; nothing at all where both together are not enough.
 */
final class RoomForHolder {
    /** How many jobs give back or are ended before others are heard; the rest do right after. */
    static final int AT_ONCE = 50;

    private final Tables tables;
    private final FitAfterRelease foresight;
    private final ElasticSurplus surplus;
    private final Victims victims;

    RoomForHolder(
            Tables tables, FitAfterRelease foresight, ElasticSurplus surplus, Victims victims) {
        this.tables = tables;
        this.foresight = foresight;
        this.surplus = surplus;
        this.victims = victims;
    }

    /**
     * @param ranks that are given back, none of a job that is ended
     * @param ended gangs
     * @param fit of the holder once they are gone
     */
    record Found(List<Rank> ranks, List<Job> ended, Placed fit) {
        Found {
            ranks = List.copyOf(ranks);
            ended = List.copyOf(ended);
        }
    }

    /** There may be something. */
    boolean areAny() {
        return preempts() || surplus.isAny();
    }

    private boolean preempts() {
        return tables.settings().spec().preemption().mode() != Mode.OFF;
    }

    /**
     * @param leaving what comes free in any case
     * @return null: the holder could not start even then
     */
    @Nullable Found of(Job holder, Freed leaving) {
        var lent = surplus.of(holder, leaving);
        var alone = lent.isEmpty() ? null : surplus.needed(holder, leaving, lent);
        if (alone != null) {
            return found(holder, leaving, alone, List.of());
        }
        var ended = preempts() ? victims.of(holder, leaving, lent) : null;
        if (ended != null) {
            return onTop(holder, leaving, lent, ended);
        }
        // Whose queues give all that back may borrow no more, and then none of them is ended.
        boolean isTriedWithout = preempts() && !lent.isEmpty() && victims.areBorrowers(holder);
        ended = isTriedWithout ? victims.of(holder, leaving, List.of()) : null;
        return ended == null ? null : onTop(holder, leaving, List.of(), ended);
    }

    private @Nullable Found onTop(Job holder, Freed leaving, List<Rank> lent, List<Job> ended) {
        var gone = leaving.plus(victims.freedBy(ended));
        var ids = ended.stream().map(Job::id).toList();
        var others = lent.stream().filter(rank -> !ids.contains(rank.job())).toList();
        var ranks = surplus.needed(holder, gone, others);
        return ranks == null ? null : found(holder, gone, ranks, ended);
    }

    private @Nullable Found found(Job holder, Freed gone, List<Rank> ranks, List<Job> ended) {
        var fit = foresight.fit(holder, gone.plus(Freed.by(tables, ranks)));
        return fit == null ? null : new Found(ranks, ended, fit);
    }

    /**
     * Ranks first, then gangs.
     *
     * @return false: the last of them are left for the next look
     */
    boolean make(Found found, Job holder) {
        int giving = surplus.giveBack(found.ranks(), holder, AT_ONCE);
        return giving <= AT_ONCE
                && victims.end(found.ended(), holder, !found.ranks().isEmpty(), AT_ONCE - giving);
    }
}
