package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.model.Wide;
import dev.muster.coordinator.core.queue.Ledger;
import dev.muster.coordinator.core.queue.Ledger.Payer;
import dev.muster.coordinator.core.state.QuotaShortage;
import dev.muster.coordinator.core.state.Tables;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What comes free where ranks go that hold room.
 *
 * @param room by node
 * @param uses what quotas counted of them
 * @param ends how many jobs of a queue are those of whom nothing stays, among those that run
 * @param leavers by node, jobs all of whose pods there go, of those that keep others off
 */
record Freed(
        SortedMap<String, Amounts> room,
        SortedMap<Payer, Use> uses,
        SortedMap<String, Long> ends,
        SortedMap<String, SortedSet<JobId>> leavers) {
    static final Freed NOTHING =
            new Freed(
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap());

    Freed {
        room = Collections.unmodifiableSortedMap(new TreeMap<>(room));
        uses = Collections.unmodifiableSortedMap(new TreeMap<>(uses));
        ends = Collections.unmodifiableSortedMap(new TreeMap<>(ends));
        leavers = Collections.unmodifiableSortedMap(new TreeMap<>(leavers));
    }

    /**
     * @param ranks each once, of jobs that go on
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
        return new Freed(room, uses, Collections.emptySortedMap(), leavers(tables, ranks));
    }

    /** The same, and as many jobs of each queue end. */
    Freed ending(Map<String, Long> ends) {
        return new Freed(room, uses, new TreeMap<>(ends), leavers);
    }

    private static SortedMap<String, SortedSet<JobId>> leavers(Tables tables, List<Rank> ranks) {
        var going = new TreeMap<JobId, SortedSet<RankId>>();
        ranks.forEach(
                rank -> going.computeIfAbsent(rank.job(), _ -> new TreeSet<>()).add(rank.id()));
        var leavers = new TreeMap<String, SortedSet<JobId>>();
        going.forEach((id, its) -> {
            var job = tables.job(id);
            if (job != null && !tables.makeup(job).repulsions().isEmpty()) {
                tables.gang(job)
                        .nodesLeft(rank -> its.contains(rank.id()))
                        .forEach(node ->
                                leavers.computeIfAbsent(node, _ -> new TreeSet<>()).add(id));
            }
        });
        return leavers;
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
        var ends = new TreeMap<String, Long>();
        var leavers = new TreeMap<String, SortedSet<JobId>>();
        for (var one : all) {
            one.room.forEach((node, amounts) -> room.merge(node, amounts, Amounts::plus));
            one.uses.forEach((payer, use) -> uses.merge(payer, use, Use::plus));
            one.leavers.forEach((node, jobs) ->
                    leavers.computeIfAbsent(node, _ -> new TreeSet<>()).addAll(jobs));
            one.ends.forEach((queue, jobs) -> ends.merge(queue, jobs, Long::sum));
        }
        return new Freed(room, uses, ends, leavers);
    }

    /** How many jobs of a queue end. */
    long endsOf(String queue) {
        return ends.getOrDefault(queue, 0L);
    }

    /** What of a quota comes free so. */
    long givenOf(QuotaShortage shortage) {
        long given = 0;
        for (var use : uses.entrySet()) {
            given = Wide.sum(given, shortage.givenBy(use.getKey(), use.getValue()));
        }
        for (var of : ends.entrySet()) {
            given += shortage.givenByEnds(of.getKey(), of.getValue());
        }
        return given;
    }

    /** As if they were gone, until they {@link #comeBack}. */
    void leave(Ledger ledger) {
        uses.forEach(ledger::release);
    }

    void comeBack(Ledger ledger) {
        uses.forEach(ledger::charge);
    }
}
