package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.jobs.Dependents;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.state.Tables;
import org.jspecify.annotations.Nullable;

/** What a rank needs that has nothing: another that needs the same finds no room either. */
record RoomNeed(String queue, String namespace, boolean spot, JobSpec.Role role) {
    /** Null: it has something of its own, or where it goes depends on its gang or other jobs. */
    static @Nullable RoomNeed of(Tables tables, Job job, Rank rank) {
        var role = job.spec().role(rank.id().role());
        boolean isLike =
                rank.sight().over()
                        && !Dependents.hasRoom(tables, rank)
                        && rank.making().port() == null
                        && !tables.makeup(job).separation().concerns(role.name())
                        && tables.makeup(job).repulsion(role.name()).isNone()
                        && job.spec().gang().topology().policy() == Topology.Policy.NONE;
        return isLike
                ? new RoomNeed(job.spec().queue(), job.id().namespace(), rank.isSpot(role), role)
                : null;
    }
}
