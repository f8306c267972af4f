package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.Spec;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The least that a job must hold at once: what no queue's limit may be below, or it waits for ever.
 * Roles that wait for the success of others may come when those hold nothing any more.
 */
final class LeastDemand {
    private final Spec spec;
    private final List<PodNeeds> needs;
    private final SortedMap<String, BigInteger> start = new TreeMap<>();
    private final SortedMap<String, BigInteger> least = new TreeMap<>();

    private LeastDemand(Spec spec, List<PodNeeds> needs) {
        this.spec = spec;
        this.needs = needs;
    }

    /**
     * By resource, cpu in milli and everything else in whole units.
     *
     * @param spec with every default in its place
     * @param needs one per role, in the order of the roles
     */
    static SortedMap<String, BigInteger> of(Spec spec, List<PodNeeds> needs) {
        var demand = new LeastDemand(spec, needs);
        demand.count();
        return demand.least;
    }

    private void count() {
        var later = later();
        long more = more();
        long spare = spec.roles().stream().mapToLong(this::spare).sum();
        long open = more;
        var any = new ArrayList<Integer>();
        for (int i = 0; i < needs.size(); i++) {
            var role = spec.roles().get(i);
            // What the others cannot have of it.
            long added = Math.clamp(more - (spare - spare(role)), 0, spare(role));
            open -= added;
            if (added < spare(role)) {
                any.add(i);
            }
            add(i, min(role) + added, !later.contains(role.name()));
        }
        for (var resource : List.copyOf(start.keySet())) {
            long each = any.stream().mapToLong(i -> atStart(i, resource, later)).min().orElse(0);
            start.merge(resource, times(Math.max(0, open), each), BigInteger::add);
        }
        start.forEach((resource, whole) -> least.merge(resource, whole, BigInteger::max));
    }

    private void add(int role, long pods, boolean atStart) {
        needs.get(role)
                .demand()
                .forEach((resource, each) -> {
                    if (atStart) {
                        start.merge(resource, times(pods, each), BigInteger::add);
                    } else {
                        least.merge(resource, times(pods, each), BigInteger::max);
                    }
                });
    }

    /** Of one pod more of a role; one that comes later needs nothing then. */
    private long atStart(int role, String resource, Set<String> later) {
        return later.contains(spec.roles().get(role).name())
                ? 0
                : needs.get(role).demand().getOrDefault(resource, 0L);
    }

    private static BigInteger times(long pods, long each) {
        return BigInteger.valueOf(pods).multiply(BigInteger.valueOf(each));
    }

    private long spare(Role role) {
        return spec.size(role) - min(role);
    }

    private static long min(Role role) {
        return role.min() == null ? role.replicas() : role.min();
    }

    /** What the gang's total asks for beyond the roles' minima, of whichever roles. */
    private long more() {
        var gang = spec.gang();
        var minima = spec.roles().stream().mapToLong(LeastDemand::min).sum();
        return gang == null || gang.min() == null ? 0 : gang.min() - minima;
    }

    /** Those that wait for a success, and those that wait for them. */
    private Set<String> later() {
        var later = new HashSet<String>();
        boolean grew = true;
        while (grew) {
            grew = false;
            for (var role : spec.roles()) {
                var on = role.dependsOn() == null ? List.<Dependency>of() : role.dependsOn();
                if (on.stream().anyMatch(d -> isLater(d, later))) {
                    grew |= later.add(role.name());
                }
            }
        }
        return later;
    }

    private static boolean isLater(Dependency dependency, Set<String> later) {
        return dependency.phase() == DependencyPhase.SUCCEEDED || later.contains(dependency.on());
    }
}
