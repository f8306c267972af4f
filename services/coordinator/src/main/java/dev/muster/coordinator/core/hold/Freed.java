package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.queue.Ledger;
import dev.muster.coordinator.core.queue.Ledger.Payer;
import dev.muster.coordinator.core.state.Tables;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What comes free where ranks go that hold room.
 *
 * @param room by node
 * @param uses what quotas counted of them
 */
record Freed(SortedMap<String, Amounts> room, SortedMap<Payer, Use> uses) {
    static final Freed NOTHING =
            new Freed(Collections.emptySortedMap(), Collections.emptySortedMap());

    Freed {
        room = Collections.unmodifiableSortedMap(new TreeMap<>(room));
        uses = Collections.unmodifiableSortedMap(new TreeMap<>(uses));
    }

    /**
     * @param ranks each once
     */
    static Freed by(Tables tables, List<Rank> ranks) {
        var room = new TreeMap<String, Amounts>();
        var uses = new TreeMap<Payer, Use>();
        for (var rank : ranks) {
            var job = tables.job(rank.job());
            if (job != null) {
                var pod = job.spec().podOf(rank);
                room.merge(rank.making().node(), pod.demand(), Amounts::plus);
                uses.merge(Payer.of(job), Use.of(pod), Use::plus);
            }
        }
        return new Freed(room, uses);
    }

    Freed plus(Freed more) {
        return sum(List.of(this, more));
    }

    /**
     * @param all of different ranks
     */
    static Freed sum(List<Freed> all) {
        var room = new TreeMap<String, Amounts>();
        var uses = new TreeMap<Payer, Use>();
        for (var one : all) {
            one.room.forEach((node, amounts) -> room.merge(node, amounts, Amounts::plus));
            one.uses.forEach((payer, use) -> uses.merge(payer, use, Use::plus));
        }
        return new Freed(room, uses);
    }

    /** As if they were gone, until they {@link #comeBack}. */
    void leave(Ledger ledger) {
        uses.forEach((payer, use) -> ledger.count(payer, use, false));
    }

    void comeBack(Ledger ledger) {
        uses.forEach((payer, use) -> ledger.count(payer, use, true));
    }
}
