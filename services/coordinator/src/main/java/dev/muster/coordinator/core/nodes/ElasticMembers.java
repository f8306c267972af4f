package dev.muster.coordinator.core.nodes;

import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.jobs.Dependents;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.state.Tables;

/**
 * Who counts of an elastic role where some of it leave nodes that go. For its minimum those count
 * who are there, or have failed and have room to come back to, and not whose failure is ignored;
 * for its wish all count who do not leave, since who has no room comes back as well, when there is
 * some, and nobody comes for who is ignored.
 */
final class ElasticMembers {
    private final Tables tables;

    ElasticMembers(Tables tables) {
        this.tables = tables;
    }

    /**
     * How many may leave: who is beyond the minimum, and who is beyond the wish, since in his place
     * another was placed just now.
     */
    int spare(Job job, JobSpec.Elastic elastic) {
        int beyondWish = beyondWish(job, job.spec().role(elastic.role()));
        return Math.max(beyondWish, beyondMinimum(job, elastic));
    }

    /** Below 0: so many are lacking. */
    int beyondMinimum(Job job, JobSpec.Elastic elastic) {
        int least = tables.makeup(job).least(elastic);
        return there(job, job.spec().role(elastic.role())) - least;
    }

    int beyondWish(Job job, JobSpec.Role role) {
        return Math.max(0, tables.gang(job).count(role.name()) - role.replicas());
    }

    boolean lacksOfWish(Job job, JobSpec.Role role) {
        return tables.gang(job).count(role.name()) < role.replicas();
    }

    private int there(Job job, JobSpec.Role role) {
        return (int)
                tables.gang(job).members(role.name()).stream()
                        .filter(rank -> !isAway(rank, role))
                        .count();
    }

    private boolean isAway(Rank rank, JobSpec.Role role) {
        return switch (rank.state()) {
            case FAILED, RETURNING -> !Dependents.hasRoom(tables, rank) || isOnGoing(rank, role);
            case ORDERED, PENDING, RUNNING, SUCCEEDED -> false;
            case IGNORED -> true;
        };
    }

    /** Its node goes, and such a pod would not be placed there again. */
    boolean isOnGoing(Rank rank, JobSpec.Role role) {
        var node = tables.capacity.node(rank.making().node());
        if (node == null || !tables.settings().isGoing(node)) {
            return false;
        }
        // Kubernetes' schedulers know a cordon by its taint, which a pod may tolerate.
        boolean isOpen =
                tables.settings().spec().backing().choosesNodes() ? node.ready() : node.takesPods();
        var spot = tables.settings().spec().spot();
        return !(isOpen && GangRequirements.filter(role, rank.isSpot(role), spot).accepts(node));
    }
}
