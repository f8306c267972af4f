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
     * @param before where it stood until now
     */
    static boolean isDue(Tables tables, Job job, JobState before) {
        return before instanceof JobState.Leaving leaving
                && leaving.backsOff()
                && tables.capacity.isDelegated()
                && tables.makeup(job).isMixable()
                && tables.gang(job).all().stream().anyMatch(rank -> rank.sight().unbound());
    }

    static void take(Tables tables, Job job) {
        var work = job.spec().work();
        tables.put(job.with(job.spec().with(work.mixed(Mixes.behind(work).getFirst()))));
    }
}
