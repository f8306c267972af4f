package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.jobs.DeadNodes;
import dev.muster.coordinator.core.jobs.Departures.Choice;
import dev.muster.coordinator.core.jobs.Dependents;
import dev.muster.coordinator.core.jobs.ElasticEnd;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.Scalings;
import dev.muster.coordinator.core.jobs.Verdict;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Elastic;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What elastic jobs of no stronger claim have beyond their minima, which is given back for the
 * pool's holder: as few ranks as can be found, of those first who borrow of its guarantee, then of
 * the lowest priority, and of those the youngest.
 */
final class ElasticSurplus {
    /** So many are named where it is told who leaves. */
    private static final int NAMED = 20;

    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final Eligibility eligibility;
    private final FitAfterRelease foresight;

    private interface Condition {
        boolean holds(Job job, Rank rank, Amounts taken);
    }

    ElasticSurplus(Tables tables, Journal journal, Jobs jobs, FitAfterRelease foresight) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.eligibility = tables.eligibility;
        this.foresight = foresight;
    }

    boolean isAny() {
        return !tables.growing.large().isEmpty();
    }

    /**
     * All that may be asked for, the weakest first; where only room is lacking, none of those that
     * lie where the holder may not go. Only what {@link Reclaim} allows.
     *
     * @param leaving what comes free in any case
     */
    List<Rank> of(Job holder, Freed leaving) {
        if (!isAny()) {
            return List.of();
        }
        var lack = new HolderShortage(tables, holder, leaving);
        boolean lacksQuota = foresight.lacksQuota(holder);
        var candidates = new ArrayList<Rank>();
        tables.growing.large().stream()
                .map(tables::job)
                .<Job>mapMulti((job, out) -> {
                    if (job != null) {
                        out.accept(job);
                    }
                })
                .sorted(PreemptionOrder.WEAKEST_FIRST)
                .forEach(job -> candidates.addAll(youngest(job)));
        var usable =
                candidates.stream()
                        .filter(rank -> lacksQuota || lack.isInTheWay(rank))
                        .filter(foresight::isForeseeable)
                        .toList();
        return allowed(usable, new Reclaim(tables, holder, leaving, lack), leaving);
    }

    /**
     * Of some, those who may still be asked when the ones before them were: who borrows of the
     * holder's guarantee goes first, and else they go in their order.
     */
    private List<Rank> allowed(List<Rank> ranks, Reclaim reclaim, Freed leaving) {
        var allowed = new ArrayList<Rank>();
        var taken = new TreeMap<String, Amounts>();
        leaving.leave(tables.ledger);
        Condition borrows =
                (job, rank, gone) ->
                        reclaim.takesBack(job, rank, gone) && reclaim.mayAsk(job, rank, gone);
        var others = take(ranks, borrows, allowed, taken);
        take(others, reclaim::mayAsk, allowed, taken);
        leaving.comeBack(tables.ledger);
        return allowed;
    }

    /** Returns those of whom it does not hold. */
    private List<Rank> take(
            List<Rank> ranks, Condition condition, List<Rank> to, Map<String, Amounts> taken) {
        var others = new ArrayList<Rank>();
        for (var rank : ranks) {
            var job = tables.job(rank.job());
            var queue = job == null ? "" : job.spec().queue();
            var gone = taken.getOrDefault(queue, Amounts.NONE);
            if (job != null && condition.holds(job, rank, gone)) {
                to.add(rank);
                taken.merge(queue, job.spec().podOf(rank).demand(), Amounts::plus);
            } else {
                others.add(rank);
            }
        }
        return others;
    }

    /**
     * All beyond its minimum, those first that are not at work, then those that do not run, then
     * the youngest, critical ones after the others; rank 0 stays. A pod that is awaited still is
     * the older one where another was made again meanwhile. Nobody once the role is ending: then
     * the success of those that run is awaited.
     */
    private List<Rank> youngest(Job job) {
        var elastic = job.spec().work().elastic();
        if (elastic == null || ElasticEnd.isOn(tables, job, elastic.role())) {
            return List.of();
        }
        var members = tables.gang(job).members(elastic.role());
        var order =
                members.stream()
                        .filter(rank -> !job.spec().isFirst(rank.id()))
                        .filter(rank -> !rank.sight().released())
                        .sorted(
                                Comparator.comparing((Rank rank) -> isAtWork(job, rank))
                                        .thenComparing(rank -> Scalings.isThere(job, rank))
                                        .thenComparing(rank -> job.spec().isCritical(rank.id()))
                                        .thenComparing(rank -> -rank.making().incarnation()))
                        .toList();
        return order.stream().limit(beyond(job, elastic, members, order)).toList();
    }

    /**
     * How many may leave: of those at work the minimum stays, for the others do nothing of it; but
     * the gang counts some of those, and would not run with fewer than the minimum in all.
     */
    private int beyond(Job job, Elastic elastic, List<Rank> members, List<Rank> order) {
        int least = tables.makeup(job).least(elastic);
        int others = order.size() - atWork(job, order);
        int spare = Math.max(0, atWork(job, members) - least);
        return Math.clamp(others + spare, 0, Math.max(0, members.size() - least));
    }

    private int atWork(Job job, List<Rank> ranks) {
        return (int) ranks.stream().filter(rank -> isAtWork(job, rank)).count();
    }

    /**
     * It runs, or will again as soon as it may: neither has it done its work, nor does its failure
     * count as that, nor has it no room to come back to.
     */
    private boolean isAtWork(Job job, Rank rank) {
        return switch (rank.state()) {
            case ORDERED, PENDING, RUNNING -> true;
            case FAILED -> Dependents.hasRoom(tables, rank) && !Verdict.mayBeIgnored(job, rank);
            case RETURNING -> Dependents.hasRoom(tables, rank);
            case SUCCEEDED, IGNORED -> false;
        };
    }

    /**
     * @param gone what comes free besides
     * @param all the weakest first
     * @return as few as can be found of them that are enough; null: they are not, all together
     */
    @Nullable List<Rank> needed(Job holder, Freed gone, List<Rank> all) {
        if (isEnough(holder, gone, List.of())) {
            return List.of();
        }
        if (!isEnough(holder, gone, all)) {
            return null;
        }
        int tooFew = 0;
        int enough = all.size();
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) / 2;
            if (isEnough(holder, gone, all.subList(0, middle))) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return PreemptionOrder.needed(
                all.subList(0, enough), fewer -> isEnough(holder, gone, fewer));
    }

    private boolean isEnough(Job holder, Freed gone, List<Rank> more) {
        return foresight.fit(holder, gone.plus(Freed.by(tables, more))) != null;
    }

    /**
     * They leave, and their jobs go on, wishing what they wished.
     *
     * @param most so many jobs now: the last of them are left for the next look
     * @return of how many jobs they are
     */
    int giveBack(List<Rank> ranks, Job holder, int most) {
        var ofJobs =
                ranks.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Rank::job, TreeMap::new, Collectors.toList()));
        ofJobs.entrySet().stream()
                .limit(most)
                .forEach(of -> giveBack(of.getKey(), of.getValue(), holder));
        return ofJobs.size();
    }

    private void giveBack(JobId id, List<Rank> ranks, Job holder) {
        var job = tables.job(id);
        if (job == null) {
            return;
        }
        var ids = ranks.stream().map(Rank::id).toList();
        var roomless = roomless(job, ids);
        var without =
                roomless.isEmpty()
                        ? ""
                        : "; %s would come into that, and leave, too".formatted(names(roomless));
        var message =
                "it gives back %s for %s%s".formatted(names(ids), holder.id().fullName(), without);
        journal.publish(new Effect.Preempted(id, job.spec().queue(), holder.id(), message));
        var all = Stream.concat(ids.stream(), roomless.stream()).toList();
        jobs.departures().leave(job, all, Choice.of(message));
        jobs.scalings().look(id);
    }

    /**
     * Who is to be made again, has no room, waits for no pod of its own and is beyond the minimum:
     * coming before the holder, it would take what is given back. The job grows again after him.
     */
    private List<RankId> roomless(Job job, List<RankId> given) {
        var elastic = job.spec().work().elastic();
        if (elastic == null) {
            return List.of();
        }
        var leave = new TreeSet<>(given);
        var stay =
                tables.gang(job).members(elastic.role()).stream()
                        .filter(rank -> !leave.contains(rank.id()))
                        .toList();
        int lacking = Math.max(0, tables.makeup(job).least(elastic) - atWork(job, stay));
        return stay.stream()
                .filter(rank -> isRoomless(job, rank) && !job.spec().isFirst(rank.id()))
                .sorted(Comparator.comparing(rank -> !job.spec().isCritical(rank.id())))
                .skip(lacking)
                .map(Rank::id)
                .toList();
    }

    private boolean isRoomless(Job job, Rank rank) {
        return rank.state() == RankState.RETURNING
                && (rank.sight().gone() || DeadNodes.isForced(tables, job, rank))
                && !Dependents.hasRoom(tables, rank);
    }

    private static String names(List<RankId> ids) {
        var names =
                ids.stream().limit(NAMED).map(RankId::toString).collect(Collectors.joining(", "));
        int others = ids.size() - NAMED;
        return others > 0 ? "%s and %d others".formatted(names, others) : names;
    }
}
