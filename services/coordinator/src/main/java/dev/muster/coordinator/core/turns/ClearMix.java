package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.gang.Mixes;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Quotas.Claim;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;

/** Whether a job could start now with one mix of its roles or another. */
public record ClearMix(Tables tables) {
    /**
     * What it would start with if it were its turn: the mix that it has, unless nothing is in the
     * way of another, or only another could ever start.
     */
    public GangRequirements of(Queue queue, Job job) {
        var now = tables.makeup(job);
        if (!now.isMixable() || isClear(queue, job, now)) {
            return now;
        }
        boolean mayCome = couldEver(queue, job, now);
        GangRequirements ever = null;
        for (var mix : inOrder(job)) {
            var other = now.mixed(mix, tables.settings().spec().spot());
            if (isClear(queue, job, other)) {
                return other;
            }
            if (!mayCome && ever == null && couldEver(queue, job, other)) {
                ever = other;
            }
        }
        return ever == null ? now : ever;
    }

    /**
     * Where a backend alone knows which can start, one that it did not bind does not come again.
     */
    List<List<Integer>> inOrder(Job job) {
        var work = job.spec().work();
        return tables.capacity.isDelegated() ? Mixes.behind(work) : Mixes.of(work);
    }

    /** What is held for itself is not in its way: that ends when it has another mix. */
    boolean isClear(Queue queue, Job job, GangRequirements makeup) {
        return tables.capacity.fits(makeup.start())
                && tables.eligibility.excesses(claim(queue, job, makeup)).stream()
                        .allMatch(excess -> job.id().equals(excess.keptFor()));
    }

    /** It would start if nothing else ran. */
    boolean couldEver(Queue queue, Job job, GangRequirements makeup) {
        return tables.eligibility.couldEverStart(claim(queue, job, makeup), makeup.start());
    }

    private Claim claim(Queue queue, Job job, GangRequirements makeup) {
        return tables.eligibility.claim(queue, job, makeup.start(), By.WAITING_JOB);
    }
}
