package dev.muster.coordinator.core.model;

import dev.muster.coordinator.core.model.JobSpec.Role;
import java.util.Comparator;

/** Rank 0: where the ranks of a job meet that train together. */
public final class FirstRank {
    private static final String MASTER = "master";

    private FirstRank() {}

    /** Of role master if it trains together with this one, else of the first that does. */
    public static RankId beside(String role, JobSpec spec) {
        int world = spec.role(role).world();
        var mastersFirst = Comparator.comparing((String name) -> !name.equals(MASTER));
        return spec.roles().stream()
                .filter(other -> other.world() == world)
                .map(Role::name)
                .min(mastersFirst.thenComparing(JobSpec.LAUNCHER::equals))
                .map(first -> new RankId(first, 0))
                .orElseThrow();
    }
}
