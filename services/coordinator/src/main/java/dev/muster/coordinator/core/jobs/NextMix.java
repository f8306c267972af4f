package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.gang.Mixes;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.state.Tables;

/**
 * The mix of roles with which a gang is tried next that a backend alone places, and did not bind in
 * time. Nobody here knows which one it could bind, so each has its turn.
 */
final class NextMix {
    private NextMix() {}

    /**
     * To be asked while its ranks are known.
     *
     * @param was as it stood until now
     */
    static boolean isDue(Tables tables, Job was) {
        return was.state() instanceof JobState.Leaving leaving
                && leaving.backsOff()
                && tables.capacity.isDelegated()
                && tables.makeup(was).isMixable()
                && was.past().opened().stream().anyMatch(role -> wasNotBound(tables, was, role));
    }

    /** Not as many as are to start together, of a role that was ordered. */
    private static boolean wasNotBound(Tables tables, Job was, String role) {
        var ranks = tables.gang(was).members(role);
        long bound = ranks.stream().filter(rank -> !rank.sight().unbound()).count();
        return bound < Math.min(ranks.size(), tables.makeup(was).minimum(role));
    }

    static void take(Tables tables, Job job) {
        var work = job.spec().work();
        tables.put(job.with(job.spec().with(work.mixed(Mixes.behind(work).getFirst()))));
    }
}
