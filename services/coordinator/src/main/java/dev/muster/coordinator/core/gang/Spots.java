package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.RankState;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the spot pods of a role stand.
 *
 * @param desired how many of the role's pods are spot pods, or will be when all are placed
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
        var spots = gang.members(role.name()).stream().filter(rank -> rank.isSpot(role)).toList();
        long running = spots.stream().filter(rank -> rank.state() == RankState.RUNNING).count();
        int missing = Math.max(0, role.replicas() - gang.count(role.name()));
        int toCome = missing - gang.nextOnDemand(role, missing, null);
        return new Spots(spots.size() + toCome, (int) running);
    }
}
