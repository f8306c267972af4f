package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the spot pods of a role stand, which are its last ones.
 *
 * @param desired how many of the role's pods are
 * @param running how many of those run
 */
public record Spots(int desired, int running) {
    /** By role; only of those that have any. */
    public static SortedMap<String, Spots> of(Job job, Gang gang) {
        SortedMap<String, Spots> spots = Collections.emptySortedMap();
        for (var role : job.spec().roles()) {
            if (role.spot() > 0) {
                spots = spots.isEmpty() ? new TreeMap<>() : spots;
                spots.put(role.name(), of(role, gang));
            }
        }
        return spots;
    }

    private static Spots of(JobSpec.Role role, Gang gang) {
        int first = Math.max(0, role.replicas() - role.spot());
        long running =
                gang.in(RankState.RUNNING).stream()
                        .map(Rank::id)
                        .filter(rank -> rank.role().equals(role.name()) && rank.index() >= first)
                        .count();
        return new Spots(role.replicas() - first, (int) running);
    }
}
