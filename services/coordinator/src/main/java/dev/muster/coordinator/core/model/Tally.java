package dev.muster.coordinator.core.model;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the ranks of a job stand.
 *
 * @param roles in the job's order
 */
public record Tally(List<OfRole> roles) {

    /**
     * @param min how many must run for the job to be running; 0: none, the role comes later
     * @param created pods that were seen, ended ones among them
     * @param running pods that run now
     * @param failed whose failure is not judged yet, or was ignored
     * @param ignored of those the latter
     * @param awaited how many must have ended well for the role to have succeeded
     */
    public record OfRole(
            String role,
            int desired,
            int min,
            int created,
            int running,
            int ready,
            int succeeded,
            int failed,
            int ignored,
            int awaited) {
        public static OfRole none(String role, int desired, int min) {
            return new OfRole(role, desired, min, 0, 0, 0, 0, 0, 0, desired);
        }

        /** All have, but those whose failure does not count. */
        public boolean hasSucceeded() {
            return awaited > 0 && succeeded + ignored == awaited;
        }

        /** Runs, or has ended well, or in a way that does not count. */
        public int fine() {
            return running + succeeded + ignored;
        }

        /** The same, where what runs counts only once it is ready. */
        public int fineAndReady() {
            return ready + succeeded + ignored;
        }

        public OfRole awaiting(int ends) {
            return ends == awaited
                    ? this
                    : new OfRole(
                            role, desired, min, created, running, ready, succeeded, failed, ignored,
                            ends);
        }

        public OfRole desiring(int replicas, int least) {
            return new OfRole(
                    role, replicas, least, created, running, ready, succeeded, failed, ignored,
                    awaited);
        }

        public OfRole plus(RankState state, boolean ready, int sign) {
            return new OfRole(
                    role,
                    desired,
                    min,
                    created + (state == RankState.ORDERED ? 0 : sign),
                    running + (state == RankState.RUNNING ? sign : 0),
                    this.ready + (state == RankState.RUNNING && ready ? sign : 0),
                    succeeded + (state == RankState.SUCCEEDED ? sign : 0),
                    failed + (state.isFailure() ? sign : 0),
                    ignored + (state == RankState.IGNORED ? sign : 0),
                    awaited);
        }
    }

    public Tally {
        roles = List.copyOf(roles);
    }

    /** The gang's minimum runs, or has ended in a way that is no failure. */
    public boolean runs() {
        return roles.stream().allMatch(role -> role.fine() >= role.min || role.hasSucceeded());
    }

    /** Nothing runs or will run again. */
    public boolean isOver() {
        return roles.stream().allMatch(OfRole::hasSucceeded);
    }

    public SortedMap<String, OfRole> byRole() {
        var byRole = new TreeMap<String, OfRole>();
        roles.forEach(role -> byRole.put(role.role, role));
        return byRole;
    }

    /** The job has succeeded, whatever others still do. */
    public boolean satisfies(JobSpec.Success success) {
        return switch (success) {
            case JobSpec.Success.All _ -> isOver() && hasAny();
            case JobSpec.Success.Any _ -> hasAny();
            case JobSpec.Success.OfRole(var name) ->
                    roles.stream()
                            .filter(role -> role.role.equals(name))
                            .anyMatch(role -> role.hasSucceeded() && role.succeeded > 0);
        };
    }

    /** What does not count makes no success by itself. */
    private boolean hasAny() {
        return roles.stream().anyMatch(role -> role.succeeded > 0);
    }
}
