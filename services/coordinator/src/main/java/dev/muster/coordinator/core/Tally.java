package dev.muster.coordinator.core;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the ranks of a job stand.
 *
 * @param roles in the job's order
 * @param failure the first rank that failed; null: none did
 */
public record Tally(List<OfRole> roles, @Nullable Failure failure) {

    /**
     * @param min how many must run for the job to be running; 0: none, the role comes later
     * @param created pods that were seen, ended ones among them
     * @param running pods that run now
     */
    public record OfRole(
            String role,
            int desired,
            int min,
            int created,
            int running,
            int ready,
            int succeeded,
            int failed) {
        boolean hasSucceeded() {
            return succeeded == desired;
        }

        OfRole plus(RankState state, boolean ready, int sign) {
            return new OfRole(
                    role,
                    desired,
                    min,
                    created + (state == RankState.ORDERED ? 0 : sign),
                    running + (state == RankState.RUNNING ? sign : 0),
                    this.ready + (state == RankState.RUNNING && ready ? sign : 0),
                    succeeded + (state == RankState.SUCCEEDED ? sign : 0),
                    failed + (state == RankState.FAILED ? sign : 0));
        }
    }

    /**
     * @param message one sentence for people, naming the rank
     */
    public record Failure(RankId rank, String reason, String message) {}

    public Tally {
        roles = List.copyOf(roles);
    }

    /** The gang's minimum runs or has succeeded. */
    boolean runs() {
        return roles.stream().allMatch(role -> role.running + role.succeeded >= role.min);
    }

    SortedMap<String, OfRole> byRole() {
        var byRole = new TreeMap<String, OfRole>();
        roles.forEach(role -> byRole.put(role.role, role));
        return byRole;
    }

    boolean satisfies(JobSpec.Success success) {
        return switch (success) {
            case JobSpec.Success.All _ -> roles.stream().allMatch(OfRole::hasSucceeded);
            case JobSpec.Success.Any _ -> roles.stream().anyMatch(role -> role.succeeded > 0);
            case JobSpec.Success.OfRole(var name) ->
                    roles.stream().anyMatch(r -> r.role.equals(name) && r.hasSucceeded());
        };
    }
}
