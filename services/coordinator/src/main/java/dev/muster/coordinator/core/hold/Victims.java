package dev.muster.coordinator.core.hold;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.hold.SmallestSubset.One;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whose end makes room for the pool's holder: whole gangs, the fewest that will do ({@link
 * SmallestSubset}), of the lowest priority first and of those the youngest.
 */
final class Victims {
    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final Eligibility eligibility;
    private final FitAfterRelease foresight;

    Victims(Tables tables, Journal journal, Jobs jobs, FitAfterRelease foresight) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.eligibility = tables.eligibility;
        this.foresight = foresight;
    }

    /**
     * @param leaving what comes free in any case
     * @param lent ranks that are given back before any gang is ended: their room comes, too
     * @return the fewest on top of that; null: nobody's end would make enough room
     */
    @Nullable List<Job> of(Job holder, Freed leaving, List<Rank> lent) {
        return new Search(holder, leaving, lent).fewest();
    }

    /** What comes free by their ends, and not without. */
    Freed freedBy(List<Job> gangs) {
        return Freed.sum(gangs.stream().map(job -> freedBy(job, holding(job))).toList());
    }

    private Freed freedBy(Job job, List<Rank> ranks) {
        var ends = new TreeMap<String, Long>();
        if (foresight.leavesItsPlace(job)) {
            ends.put(job.spec().queue(), 1L);
        }
        return Freed.by(tables, ranks).ending(ends);
    }

    /** Queues that borrow give way to it while they do: its own gets back what is its. */
    boolean areBorrowers(Job holder) {
        var claim = eligibility.toStart(holder, By.HOLDER);
        return claim != null && eligibility.isGuaranteed(claim);
    }

    /** One look for them: what each would leave is added up once. */
    private final class Search {
        private final Job holder;
        private final Freed gone;
        private final HolderShortage lack;
        private final OwnQuotaShortage ofQuota;
        private final Reclaim reclaim;
        private final List<Job> weakest;
        private final SortedMap<JobId, Freed> freed = new TreeMap<>();

        /** Of what the holder may reclaim, what each would leave. */
        private final SortedMap<JobId, List<String>> reclaimed = new TreeMap<>();

        Search(Job holder, Freed leaving, List<Rank> lent) {
            this.holder = holder;
            gone = leaving.plus(Freed.by(tables, lent));
            lack = new HolderShortage(tables, holder, gone);
            ofQuota = OwnQuotaShortage.of(tables, holder, gone);
            reclaim = new Reclaim(tables, holder, gone, lack);
            var counted =
                    lent.stream()
                            .collect(
                                    Collectors.groupingBy(
                                            Rank::job,
                                            TreeMap::new,
                                            Collectors.mapping(
                                                    Rank::id,
                                                    Collectors.toCollection(TreeSet::new))));
            weakest = candidates(counted);
        }

        @Nullable List<Job> fewest() {
            var all = weakest.stream().map(job -> new One<>(job, givenBy(freedBy(job)))).toList();
            var lacks = both(lack.amounts(), ofQuota.amounts());
            return new SmallestSubset<>(all, this::areEnough).find(chain(), lacks);
        }

        private long[] givenBy(Freed gone) {
            return both(lack.givenBy(gone), ofQuota.givenBy(gone));
        }

        private static long[] both(long[] room, long[] quotas) {
            return LongStream.concat(LongStream.of(room), LongStream.of(quotas)).toArray();
        }

        /**
         * @param counted ranks whose room comes without their jobs' ends
         */
        private List<Job> candidates(SortedMap<JobId, TreeSet<RankId>> counted) {
            var candidates = new ArrayList<Job>();
            for (var id : tables.jobsWithRanks()) {
                var job = tables.job(id);
                if (job != null && mayEnd(job)) {
                    var known = counted.getOrDefault(id, new TreeSet<>());
                    var more =
                            holding(job).stream()
                                    .filter(rank -> !known.contains(rank.id()))
                                    .toList();
                    reclaimed.put(id, reclaim.givenBy(job, more));
                    if (isWeaker(job)) {
                        freed.put(id, Victims.this.freedBy(job, more));
                        candidates.add(job);
                    }
                }
            }
            candidates.sort(PreemptionOrder.WEAKEST_FIRST);
            return candidates;
        }

        /** The contract's {@code Preemption} says so; priorities of two queues are not compared. */
        private boolean isWeaker(Job job) {
            boolean lower =
                    tables.settings().spec().preemption().mode() == Mode.LOWER_PRIORITY
                            && job.spec().queue().equals(holder.spec().queue())
                            && job.spec().place().priority() < holder.spec().place().priority();
            return lower || reclaim.isBorrowing(job, reclaimed.getOrDefault(job.id(), List.of()));
        }

        private Freed freedBy(Job job) {
            return freed.getOrDefault(job.id(), Freed.NOTHING);
        }

        /** All who may go together, the weakest first. */
        private List<Job> chain() {
            return together(weakest);
        }

        private boolean areEnough(List<Job> some) {
            if (together(some).size() < some.size()) {
                return false;
            }
            var all = Stream.concat(Stream.of(gone), some.stream().map(this::freedBy)).toList();
            return foresight.fit(holder, Freed.sum(all)) != null;
        }

        /** Of some, those who may still be ended when the ones before them were. */
        private List<Job> together(List<Job> some) {
            var chain = new ArrayList<Job>();
            gone.leave(tables.ledger);
            for (var job : some) {
                if (isWeaker(job)) {
                    chain.add(job);
                    freedBy(job).leave(tables.ledger);
                }
            }
            chain.forEach(job -> freedBy(job).comeBack(tables.ledger));
            gone.comeBack(tables.ledger);
            return chain;
        }
    }

    private boolean mayEnd(Job job) {
        var rules = tables.settings().spec().preemption();
        // One that is made anew keeps its room meanwhile, and loses nothing that ran.
        return job.state().keepsRoom()
                && !(job.state() instanceof JobState.Saving)
                && job.past().preempted() < rules.budget()
                && hasRun(job, rules.minimumRun());
    }

    /** A gang that still starts has not, however long that takes. */
    private boolean hasRun(Job job, Duration least) {
        var running = job.times().running();
        return least.isZero() || running != null && !running.plus(least).isAfter(tables.now());
    }

    /** What would come free by its end, and not without. */
    private List<Rank> holding(Job job) {
        return tables.gang(job).all().stream()
                .filter(rank -> !rank.sight().released())
                .filter(rank -> !FitAfterRelease.leaves(job, rank, tables.now()))
                .filter(foresight::isForeseeable)
                .toList();
    }

    /**
     * They stop, and go back to their places in their queues.
     *
     * @param onTop elastic jobs give back what they can, too
     * @param most so many of them now
     * @return false: the last of them are left for the next look
     */
    boolean end(List<Job> victims, Job holder, boolean onTop, int most) {
        var message =
                "it makes room for %s%s"
                        .formatted(
                                holder.id().fullName(),
                                onTop ? ", on top of what elastic jobs give back" : "");
        for (var victim : victims.subList(0, Math.min(most, victims.size()))) {
            journal.publish(
                    new Effect.Preempted(victim.id(), victim.spec().queue(), holder.id(), message));
            var marked = victim.with(victim.past().madeRoom());
            tables.put(marked);
            jobs.on(marked, new JobEvent.Preempted(message));
        }
        return victims.size() <= most;
    }
}
