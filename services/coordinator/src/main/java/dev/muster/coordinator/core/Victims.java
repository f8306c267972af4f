package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Fit.Placed;
import dev.muster.coordinator.core.PoolSpec.Mode;
import dev.muster.coordinator.core.Quotas.By;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose end makes room for the pool's holder: whole gangs, as few as can be found, of the lowest
 * priority first and of those the youngest. One gang alone is tried first; else gangs are added
 * until there is room, and those that turn out not to be needed are let off, the best claim first.
 */
final class Victims {
    /** How many gangs are looked at. */
    static final int MOST = 200;

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
        var candidates = candidates(holder);
        for (var one : candidates) {
            var fit = fitWithout(List.of(one), holder, leaving);
            if (fit != null) {
                return new Found(List.of(one), fit);
            }
        }
        var chosen = new ArrayList<Job>();
        for (var candidate : candidates) {
            chosen.add(candidate);
            if (fitWithout(chosen, holder, leaving) != null) {
                return needed(chosen, holder, leaving);
            }
        }
        return null;
    }

    private @Nullable Found needed(List<Job> chosen, Job holder, List<Rank> leaving) {
        var needed =
                PreemptionOrder.needed(chosen, fewer -> fitWithout(fewer, holder, leaving) != null);
        var fit = fitWithout(needed, holder, leaving);
        return fit == null ? null : new Found(needed, fit);
    }

    private List<Job> candidates(Job holder) {
        var queue = tables.queue(holder.spec().queue());
        if (queue == null) {
            return List.of();
        }
        var claim = eligibility.claim(queue, holder, tables.makeup(holder).start(), By.HOLDER);
        boolean reclaims = eligibility.isGuaranteed(claim);
        return tables.jobsWithRanks().stream()
                .map(tables::job)
                .<Job>mapMulti((job, out) -> {
                    if (job != null && mayEnd(job) && isWeaker(job, holder, reclaims)) {
                        out.accept(job);
                    }
                })
                .sorted(PreemptionOrder.WEAKEST_FIRST)
                .limit(MOST)
                .toList();
    }

    private boolean mayEnd(Job job) {
        var rules = tables.settings().spec().preemption();
        // One that is made anew keeps its room meanwhile, and loses nothing that ran.
        return job.state().keepsRoom()
                && !(job.state() instanceof JobState.Saving)
                && job.past().preempted() < rules.budget()
                && !PreemptionOrder.started(job).plus(rules.minimumRun()).isAfter(tables.now());
    }

    private boolean isWeaker(Job job, Job holder, boolean reclaims) {
        boolean lower =
                tables.settings().spec().preemption().mode() == Mode.LOWER_PRIORITY
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
        var left = new ArrayList<Rank>();
        boolean stillWeaker = true;
        use(leaving, -1);
        for (var job : gone) {
            boolean lower = job.spec().place().priority() < holder.spec().place().priority();
            stillWeaker &= lower || isBorrowing(job, holder);
            var held = holding(job);
            use(held, -1);
            left.addAll(held);
        }
        use(leaving, 1);
        use(left, 1);
        ranks.addAll(left);
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

    /** They stop, and go back to their places in their queues. */
    void end(List<Job> victims, Job holder) {
        for (var victim : victims) {
            var message = "it makes room for %s".formatted(holder.id().fullName());
            journal.publish(
                    new Effect.Preempted(victim.id(), victim.spec().queue(), holder.id(), message));
            var marked = victim.with(victim.past().madeRoom());
            tables.put(marked);
            jobs.on(marked, new JobEvent.Preempted(message));
        }
    }
}
