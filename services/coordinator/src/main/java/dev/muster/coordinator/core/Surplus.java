package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Departures.Choice;
import dev.muster.coordinator.core.Fit.Placed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What elastic jobs of no stronger claim have beyond their minima, given back for the pool's holder
 * before any gang is ended: as few ranks as can be found, of the lowest priority first, and of
 * those the youngest.
 */
final class Surplus {
    /** So many are named where it is told who leaves. */
    private static final int NAMED = 20;

    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final Foresight foresight;

    Surplus(Tables tables, Journal journal, Jobs jobs, Foresight foresight) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.foresight = foresight;
    }

    /**
     * @param fit of the holder once they are gone
     */
    record Found(List<Rank> ranks, Placed fit) {
        Found {
            ranks = List.copyOf(ranks);
        }
    }

    boolean isAny() {
        return !tables.growing.large().isEmpty();
    }

    /**
     * @param leaving what is gone then in any case
     * @return null: the holder could not start even then
     */
    @Nullable Found of(Job holder, List<Rank> leaving) {
        var all = candidates(holder, leaving);
        if (all.isEmpty() || fit(holder, leaving, all) == null) {
            return null;
        }
        int tooFew = 0;
        int enough = all.size();
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) / 2;
            if (fit(holder, leaving, all.subList(0, middle)) == null) {
                tooFew = middle;
            } else {
                enough = middle;
            }
        }
        var needed =
                PreemptionOrder.needed(
                        all.subList(0, enough), fewer -> fit(holder, leaving, fewer) != null);
        var fit = fit(holder, leaving, needed);
        return fit == null ? null : new Found(needed, fit);
    }

    private @Nullable Placed fit(Job holder, List<Rank> leaving, List<Rank> more) {
        return foresight.fit(holder, Stream.concat(leaving.stream(), more.stream()).toList());
    }

    /** Where only room is lacking, none of those that lie where the holder may not go. */
    private List<Rank> candidates(Job holder, List<Rank> leaving) {
        var lack = new Lack(tables, holder, leaving);
        boolean lacksQuota = foresight.lacksQuota(holder);
        var candidates = new ArrayList<Rank>();
        tables.growing.large().stream()
                .map(tables::job)
                .<Job>mapMulti((job, out) -> {
                    if (job != null && isNoStronger(job, holder)) {
                        out.accept(job);
                    }
                })
                .sorted(PreemptionOrder.WEAKEST_FIRST)
                .forEach(job -> candidates.addAll(youngest(job)));
        return candidates.stream().filter(r -> lacksQuota || lack.isInTheWay(r)).toList();
    }

    private static boolean isNoStronger(Job job, Job holder) {
        return job.spec().place().priority() <= holder.spec().place().priority();
    }

    /** All beyond its minimum, the youngest first; rank 0 stays. */
    private List<Rank> youngest(Job job) {
        var elastic = job.spec().work().elastic();
        if (elastic == null) {
            return List.of();
        }
        int least = Math.max(elastic.min(), tables.makeup(job).minimum(elastic.role()));
        var members = tables.gang(job).members(elastic.role());
        return members.stream()
                .filter(rank -> !job.spec().isFirst(rank.id()) && !rank.sight().released())
                .sorted(Comparator.comparingInt(rank -> -rank.making().incarnation()))
                .limit(Math.max(0, members.size() - least))
                .toList();
    }

    /** They leave, and their jobs go on, wishing what they wished. */
    void giveBack(Found found, Job holder) {
        var ofJobs =
                found.ranks().stream()
                        .collect(
                                Collectors.groupingBy(
                                        Rank::job, TreeMap::new, Collectors.toList()));
        ofJobs.forEach((id, ranks) -> {
            var job = tables.job(id);
            if (job != null) {
                var ids = ranks.stream().map(Rank::id).toList();
                var message =
                        "it gives back %s for %s".formatted(names(ids), holder.id().fullName());
                journal.publish(new Effect.Preempted(id, job.spec().queue(), holder.id(), message));
                jobs.departures().leave(job, ids, new Choice(Duration.ZERO, 0, message));
                jobs.scalings().look(id);
            }
        });
    }

    private static String names(List<RankId> ids) {
        var names =
                ids.stream().limit(NAMED).map(RankId::toString).collect(Collectors.joining(", "));
        int others = ids.size() - NAMED;
        return others > 0 ? "%s and %d others".formatted(names, others) : names;
    }
}
