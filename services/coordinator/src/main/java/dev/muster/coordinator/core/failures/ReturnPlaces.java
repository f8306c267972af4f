package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.jobs.Siblings;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.placement.Extra;
import dev.muster.coordinator.core.state.Tables;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where there is room for what is made again: in what is free and in its own room; where that does
 * not do, also in what is held for others.
 */
final class ReturnPlaces {
    private final Tables tables;
    private final Siblings siblings;

    ReturnPlaces(Tables tables) {
        this.tables = tables;
        this.siblings = new Siblings(tables);
    }

    /**
     * @param own what it has, besides what is free
     */
    @Nullable Placed placed(Shape shape, Extra own) {
        var fit = tables.capacity.placed(shape, own);
        return fit != null || tables.hold() == null
                ? fit
                : tables.capacity.placed(shape, own.with(plus(own.room(), tables.held.amounts())));
    }

    private static SortedMap<String, Amounts> plus(
            SortedMap<String, Amounts> own, SortedMap<String, Amounts> held) {
        var room = new TreeMap<>(own);
        held.forEach((node, amounts) -> room.merge(node, amounts, Amounts::plus));
        return room;
    }

    /** One rank, its own room included. */
    @Nullable String besideOthers(Job job, Rank rank) {
        // The others were told its port: it goes where that is free.
        var closed = tables.ports.takenFrom(rank);
        return siblings.node(job, rank, closed, own(List.of(rank), job), this::placed);
    }

    /** It need not leave the node of its pod for another domain. */
    boolean isAmongOthers(Job job, Rank rank) {
        return siblings.isAmongOthers(job, rank);
    }

    /**
     * Where those go that are made again if the first of them cannot stay in its domain: together,
     * and so once nobody's delay goes on.
     */
    SortedMap<RankId, String> elsewhere(Job job) {
        var all = tables.gang(job).returning();
        var returning = all.all();
        boolean leave =
                !returning.isEmpty()
                        && all.next(tables.now()) == null
                        && siblings.mayLeave(job)
                        && besideOthers(job, returning.getFirst()) == null;
        return leave
                ? siblings.elsewhere(job, returning, own(returning, job), this::placed)
                : Collections.emptySortedMap();
    }

    private static SortedMap<String, Amounts> own(List<Rank> ranks, Job job) {
        var room = new TreeMap<String, Amounts>();
        for (var rank : ranks) {
            if (!rank.sight().released()) {
                var demand = job.spec().podOf(rank).demand();
                room.merge(rank.making().node(), demand, Amounts::plus);
            }
        }
        return room;
    }
}
