package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.gang.Mixes;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Quotas.Claim;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a job could start now with one mix of its roles or another. */
public record ClearMix(Tables tables) {
    /**
     * What it would start with if it were its turn: the mix that it has, unless there is a better
     * one.
     */
    public GangRequirements of(Queue queue, Job job) {
        var now = tables.makeup(job);
        var better = now.isMixable() ? better(queue, job, false, () -> {}) : null;
        return better == null ? now : with(now, better);
    }

    /**
     * The first of its mixes that nothing is in the way of; if there is none, and it could never
     * start with the one that it has, the first with which it could. Null: that one is as good.
     *
     * @param behind it cannot start yet, and is to keep no mix that is for the room of today alone
     * @param tried is told of each mix that is tried
     */
    @Nullable List<Integer> better(Queue queue, Job job, boolean behind, Runnable tried) {
        var now = tables.makeup(job);
        if (!behind && isClear(queue, job, now)) {
            return null;
        }
        boolean mayCome = couldEver(queue, job, now);
        if (behind && mayCome) {
            return null;
        }
        List<Integer> ever = null;
        for (var mix : inOrder(job)) {
            tried.run();
            var other = with(now, mix);
            if (!behind && isClear(queue, job, other)) {
                return mix;
            }
            if (!mayCome && ever == null && couldEver(queue, job, other)) {
                ever = mix;
            }
        }
        return ever;
    }

    private GangRequirements with(GangRequirements now, List<Integer> mix) {
        return now.mixed(mix, tables.settings().spec().spot());
    }

    /**
     * Where a backend alone knows which can start, one that it did not bind does not come again.
     */
    private List<List<Integer>> inOrder(Job job) {
        var work = job.spec().work();
        return tables.capacity.isDelegated() ? Mixes.behind(work) : Mixes.of(work);
    }

    /** What is held for itself is not in its way: that ends when it has another mix. */
    private boolean isClear(Queue queue, Job job, GangRequirements makeup) {
        return tables.capacity.fits(makeup.start())
                && tables.eligibility.excesses(claim(queue, job, makeup)).stream()
                        .allMatch(excess -> job.id().equals(excess.keptFor()));
    }

    /** It would start if nothing else ran. */
    private boolean couldEver(Queue queue, Job job, GangRequirements makeup) {
        return tables.eligibility.couldEverStart(claim(queue, job, makeup), makeup.start());
    }

    private Claim claim(Queue queue, Job job, GangRequirements makeup) {
        return tables.eligibility.claim(queue, job, makeup.start(), By.WAITING_JOB);
    }
}
