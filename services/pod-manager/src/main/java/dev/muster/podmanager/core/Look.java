package dev.muster.podmanager.core;

import dev.muster.podmanager.core.Plan.Keep;
import dev.muster.podmanager.core.Plan.Run;
import dev.muster.podmanager.core.Plan.Stop;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What has to be looked at in the cluster besides a job's pods.
 *
 * @param named what would bear a name that the plan wants: somebody else's is seen, too
 * @param labelled only ours, which is cheaper where many plans are carried out
 * @param phases whether it matters which pods have ended: that takes another list
 * @param restarting whether it matters how the cluster starts containers again in their pods
 */
public record Look(List<Kind> named, List<Kind> labelled, boolean phases, boolean restarting) {
    public Look {
        named = List.copyOf(named);
        labelled = List.copyOf(labelled);
    }

    /** Whether any of these kinds is looked at. */
    public boolean asksForAny(Set<Kind> kinds) {
        return kinds().anyMatch(kinds::contains);
    }

    /** Of all but pods. */
    Stream<Kind> kinds() {
        return Stream.concat(named.stream(), labelled.stream());
    }

    /** For this plan. */
    public static Look of(Plan plan) {
        return switch (plan.wanted()) {
            case Run run -> of(run);
            case Stop stop -> of(stop);
            case Plan.Gone _, Plan.Impossible _ ->
                    new Look(List.of(), List.of(Kind.SERVICE), false, false);
        };
    }

    private static Look of(Run run) {
        var named = new ArrayList<Kind>();
        var labelled = new ArrayList<Kind>();
        (run.wantsService() ? named : labelled).add(Kind.SERVICE);
        if (run.leastAvailable() != null) {
            named.add(Kind.DISRUPTION_BUDGET);
        }
        if (run.hosts() != null) {
            named.add(Kind.HOST_LIST);
        }
        if (run.pods().stream().anyMatch(pod -> pod.inPlace() > 0)) {
            labelled.add(Kind.RESTART_REQUEST);
        }
        labelled.addAll(GangBackend.of(run.grouping().backend()).kinds());
        boolean restarts = run.roles().stream().anyMatch(role -> !role.restartCodes().isEmpty());
        return new Look(named, labelled, false, restarts);
    }

    private static Look of(Stop stop) {
        var labelled = new ArrayList<>(List.of(Kind.SERVICE));
        labelled.addAll(GangBackend.of(stop.backend()).kinds());
        var named = stop.keep() == Keep.ALL ? List.of(Kind.DISRUPTION_BUDGET) : List.<Kind>of();
        return new Look(named, labelled, stop.keep() == Keep.FINISHED, false);
    }
}
