package dev.muster.coordinator.core.turns;

import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.gang.Mixes;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives waiting gangs another mix of roles where they cannot start with the one that they have: one
 * with which they can now, or at least ever could. The oldest are tried first, in bounded steps.
 */
final class MixChoice {
    /** So many mixes are tried in a round; whoever is alike is tried once. */
    private static final int TRIES = 32;

    private final Tables tables;
    private final Eligibility eligibility;
    private int tries;

    private record Alike(String queue, String namespace, JobSpec.Work work) {}

    MixChoice(Tables tables, Eligibility eligibility) {
        this.tables = tables;
        this.eligibility = eligibility;
    }

    /** Somebody has another mix now, and nothing in its way, or will have. */
    boolean choose() {
        tries = TRIES;
        Set<Alike> tried = new LinkedHashSet<>();
        for (var id : tables.mixable.values().stream().limit(TRIES).toList()) {
            var job = tables.job(id);
            var queue = job == null ? null : tables.queue(job.spec().queue());
            if (job == null || queue == null || tries <= 0) {
                continue;
            }
            var alike = new Alike(queue.name(), id.namespace(), job.spec().work());
            var mix = tried.add(alike) ? better(queue, job) : null;
            if (mix != null) {
                take(job, mix);
                return true;
            }
        }
        return false;
    }

    private @Nullable List<Integer> better(Queue queue, Job job) {
        var now = tables.makeup(job);
        if (isClear(queue, job, now)) {
            return null;
        }
        boolean mayCome = tables.capacity.couldEverFit(now.start());
        List<Integer> ever = null;
        for (var mix : Mixes.of(job.spec().work())) {
            if (tries-- <= 0) {
                break;
            }
            var other = now.mixed(mix, tables.settings().spec().spot());
            if (isClear(queue, job, other)) {
                return mix;
            }
            if (!mayCome && ever == null && tables.capacity.couldEverFit(other.start())) {
                ever = mix;
            }
        }
        return ever;
    }

    private boolean isClear(Queue queue, Job job, GangRequirements makeup) {
        return tables.capacity.fits(makeup.start())
                && eligibility.excess(eligibility.claim(queue, job, makeup.start(), By.WAITING_JOB))
                        == null;
    }

    /** What is held for it was for what it needed before. */
    private void take(Job job, List<Integer> mix) {
        var hold = tables.hold();
        if (hold != null && hold.job().equals(job.id())) {
            tables.endHold();
        }
        tables.put(job.with(job.spec().with(job.spec().work().mixed(mix))));
    }
}
