package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Fewest.One;
import dev.muster.coordinator.core.Fit.Placed;
import dev.muster.coordinator.core.PoolSpec.Mode;
import dev.muster.coordinator.core.Quotas.By;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose end makes room for the pool's holder: whole gangs, the fewest that will do ({@link
 * Fewest}), of the lowest priority first and of those the youngest.
 */
final class Victims {
    /** How many gangs are ended before others are heard; the rest go right after. */
    static final int AT_ONCE = 50;

    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;
    private final Eligibility eligibility;
    private final Foresight foresight;

    Victims(
            Tables tables,
            Journal journal,
            Jobs jobs,
            Eligibility eligibility,
            Foresight foresight) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
        this.eligibility = eligibility;
        this.foresight = foresight;
    }

    /**
     * @param fit of the holder once they are gone
     */
    record Found(List<Job> jobs, Placed fit) {
        Found {
            jobs = List.copyOf(jobs);
        }
    }

    /**
     * @param leaving what is gone then in any case
     * @return null: nobody's end would make room
     */
    @Nullable Found of(Job holder, List<Rank> leaving) {
        var weakest = candidates(holder);
        var lack = new Lack(tables, holder, leaving);
        var all = weakest.stream().map(job -> new One<>(job, lack.givenBy(holding(job)))).toList();
        var fewest = new Fewest<>(all, some -> fitWithout(some, holder, leaving) != null);
        var found = fewest.find(chain(weakest, holder, leaving), lack.amounts());
        var fit = found == null ? null : fitWithout(found, holder, leaving);
        return found == null || fit == null ? null : new Found(found, fit);
    }

    /** All who may go together, the weakest first. */
    private List<Job> chain(List<Job> weakest, Job holder, List<Rank> leaving) {
        var gone = new ArrayList<>(leaving);
        boolean reclaims = reclaims(holder);
        use(leaving, -1);
        var chain = new ArrayList<Job>();
        for (var job : weakest) {
            if (isWeaker(job, holder, reclaims)) {
                chain.add(job);
                var held = holding(job);
                use(held, -1);
                gone.addAll(held);
            }
        }
        use(gone, 1);
        return chain;
    }

    private List<Job> candidates(Job holder) {
        boolean reclaims = reclaims(holder);
        return tables.jobsWithRanks().stream()
                .map(tables::job)
                .<Job>mapMulti((job, out) -> {
                    if (job != null && mayEnd(job) && isWeaker(job, holder, reclaims)) {
                        out.accept(job);
                    }
                })
                .sorted(PreemptionOrder.WEAKEST_FIRST)
                .toList();
    }

    /** Its queue gets its own back. */
    private boolean reclaims(Job holder) {
        var queue = tables.queue(holder.spec().queue());
        var shape = tables.makeup(holder).start();
        return queue != null
                && eligibility.isGuaranteed(eligibility.claim(queue, holder, shape, By.HOLDER));
    }

    private boolean mayEnd(Job job) {
        var rules = tables.settings().spec().preemption();
        // One that is made anew keeps its room meanwhile, and loses nothing that ran.
        return job.state().keepsRoom()
                && !(job.state() instanceof JobState.Saving)
                && job.past().preempted() < rules.budget()
                && !PreemptionOrder.started(job).plus(rules.minimumRun()).isAfter(tables.now());
    }

    /** The contract's {@code Preemption} says so; priorities of two queues are not compared. */
    private boolean isWeaker(Job job, Job holder, boolean reclaims) {
        boolean lower =
                tables.settings().spec().preemption().mode() == Mode.LOWER_PRIORITY
                        && job.spec().queue().equals(holder.spec().queue())
                        && job.spec().place().priority() < holder.spec().place().priority();
        return lower || reclaims && isBorrowing(job, holder);
    }

    /** Its queue uses more than it was guaranteed of something that the holder needs. */
    private boolean isBorrowing(Job job, Job holder) {
        var queue = job.spec().queue();
        if (queue.equals(holder.spec().queue())) {
            return false;
        }
        var account = tables.ledger.account(queue);
        var need = tables.makeup(holder).startUse().requests();
        return need.byName().keySet().stream()
                .filter(resource -> !tables.ledger.isShared(resource))
                .anyMatch(resource ->
                        account.used().get(resource) > account.quota().guaranteed().get(resource));
    }

    /** As if they were gone; null: the holder could not start even then. */
    private @Nullable Placed fitWithout(List<Job> gone, Job holder, List<Rank> leaving) {
        var ranks = new ArrayList<>(leaving);
        boolean reclaims = reclaims(holder);
        boolean stillWeaker = true;
        use(leaving, -1);
        for (var job : gone) {
            stillWeaker &= isWeaker(job, holder, reclaims);
            var held = holding(job);
            use(held, -1);
            ranks.addAll(held);
        }
        use(ranks, 1);
        return stillWeaker ? foresight.fit(holder, ranks) : null;
    }

    /** What would come free by its end, and not without. */
    private List<Rank> holding(Job job) {
        return tables.gang(job).all().stream()
                .filter(rank -> !rank.sight().released() && !Foresight.leaves(job, rank))
                .toList();
    }

    private void use(List<Rank> ranks, int sign) {
        for (var rank : ranks) {
            var job = tables.job(rank.job());
            if (job != null) {
                var pod = job.spec().podOf(rank);
                var use = new Ledger.Use(pod.demand(), pod.limits());
                if (sign > 0) {
                    tables.ledger.add(job, use);
                } else {
                    tables.ledger.subtract(job, use);
                }
            }
        }
    }

    /**
     * They stop, and go back to their places in their queues.
     *
     * @return false: the last of them are left for the next look
     */
    boolean end(List<Job> victims, Job holder) {
        for (var victim : victims.subList(0, Math.min(AT_ONCE, victims.size()))) {
            var message = "it makes room for %s".formatted(holder.id().fullName());
            journal.publish(
                    new Effect.Preempted(victim.id(), victim.spec().queue(), holder.id(), message));
            var marked = victim.with(victim.past().madeRoom());
            tables.put(marked);
            jobs.on(marked, new JobEvent.Preempted(message));
        }
        return victims.size() <= AT_ONCE;
    }
}
