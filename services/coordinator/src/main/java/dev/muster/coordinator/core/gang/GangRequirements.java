package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.JobSpec.DependsOn;
import dev.muster.coordinator.core.model.JobSpec.Elastic;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobSpec.Role;
import dev.muster.coordinator.core.model.JobSpec.Work;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Separation;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Tally;
import dev.muster.coordinator.core.model.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a job's work: its stages and what they need.
 *
 * <p>Roles that wait for others to run or to be ready are reserved together with those, at the
 * start and later, so that a job that is half started is never starved; roles that wait for others
 * to succeed are reserved when those have.
 *
 * @param minima how many of each role start together, in the order of the roles
 * @param later roles that are not reserved at the start
 * @param start what is reserved at the start
 * @param startUse what that counts in quotas
 * @param repulsions of roles whose pods keep apart from some of other jobs, or those from them
 */
public record GangRequirements(
        Work work,
        List<Integer> minima,
        SortedSet<String> later,
        Separation separation,
        Shape start,
        Use startUse,
        SortedMap<String, Repulsion> repulsions) {

    public static GangRequirements of(
            Work work, PoolSpec.Spot spot, SortedMap<String, Repulsion> repulsions) {
        var minima = Mixes.minima(work);
        var later = later(work);
        var separation = Separation.of(work.roles());
        var parts = new ArrayList<Shape.Part>();
        for (int i = 0; i < minima.size(); i++) {
            var role = work.roles().get(i);
            if (!later.contains(role.name())) {
                var kind = new PodKind(separation, role, repulsion(repulsions, role.name()));
                parts.addAll(kind.first(minima.get(i), spot));
            }
        }
        var start = new Shape(parts, work.gang().topology());
        return new GangRequirements(
                work, minima, later, separation, start, use(work, start), repulsions);
    }

    private static Repulsion repulsion(SortedMap<String, Repulsion> repulsions, String role) {
        return repulsions.getOrDefault(role, Repulsion.NONE);
    }

    /** What keeps pods of a role and those of other jobs apart. */
    public Repulsion repulsion(String role) {
        return repulsion(repulsions, role);
    }

    /** The same gang, which starts with another mix of its roles. */
    public GangRequirements mixed(List<Integer> mix, PoolSpec.Spot spot) {
        return of(work.mixed(mix), spot, repulsions);
    }

    /** It may start with more than one mix of its roles. */
    public boolean isMixable() {
        return Mixes.areSeveral(work);
    }

    /** Those that wait for a success, and those that wait for them. */
    private static SortedSet<String> later(Work work) {
        var later = new TreeSet<String>();
        boolean grew = true;
        while (grew) {
            grew = false;
            for (var role : work.roles()) {
                if (role.dependsOn().stream().anyMatch(d -> isLater(d, later))) {
                    grew |= later.add(role.name());
                }
            }
        }
        return later;
    }

    private static boolean isLater(DependsOn dependency, SortedSet<String> later) {
        return dependency.until() == Milestone.SUCCEEDED || later.contains(dependency.role());
    }

    /** How many of a role's pods come before the first spot pod. */
    public static int onDemand(Role role) {
        return Math.max(0, role.replicas() - role.spot());
    }

    /** The first pods of a role, of which none is placed; the last ones may be spot pods. */
    public List<Shape.Part> first(Role role, int pods, PoolSpec.Spot spot) {
        return kind(role).first(pods, spot);
    }

    /** Pods of a role whose indices follow each other, all of them spot pods or none. */
    public List<Shape.Part> parts(
            Role role, List<Integer> indices, boolean isSpot, PoolSpec.Spot spot) {
        return kind(role).of(indices.getFirst(), indices.size(), isSpot, spot);
    }

    private PodKind kind(Role role) {
        return new PodKind(separation, role, repulsion(role.name()));
    }

    /** Pods of one role, and whom they keep apart from. */
    private record PodKind(Separation separation, Role role, Repulsion repulsion) {
        List<Shape.Part> first(int pods, PoolSpec.Spot spot) {
            int onDemand = Math.min(onDemand(role), pods);
            var parts = new ArrayList<>(of(0, onDemand, false, spot));
            parts.addAll(of(onDemand, pods - onDemand, true, spot));
            return parts;
        }

        List<Shape.Part> of(int first, int pods, boolean isSpot, PoolSpec.Spot spot) {
            return separation.runs(role.name(), first, pods).stream()
                    .map(run -> part(run, isSpot, spot))
                    .toList();
        }

        private Shape.Part part(Separation.Run run, boolean isSpot, PoolSpec.Spot spot) {
            return new Shape.Part(
                    role.name(),
                    run.first(),
                    run.pods(),
                    role.demand(),
                    filter(role, isSpot, spot),
                    run.group(),
                    isSpot,
                    repulsion);
        }
    }

    /** Which nodes pods of a role accept, as spot pods or not. */
    public static NodeFilter filter(Role role, boolean isSpot, PoolSpec.Spot spot) {
        return isSpot ? onSpot(role.filter(), spot) : role.filter();
    }

    private static NodeFilter onSpot(NodeFilter filter, PoolSpec.Spot spot) {
        var selector = new TreeMap<>(spot.selector());
        selector.putAll(filter.selector());
        var tolerations = new ArrayList<>(filter.tolerations());
        tolerations.addAll(spot.tolerations());
        return new NodeFilter(selector, filter.affinity(), tolerations, filter.avoided());
    }

    public int minimum(String role) {
        for (int i = 0; i < minima.size(); i++) {
            if (work.roles().get(i).name().equals(role)) {
                return minima.get(i);
            }
        }
        throw new IllegalArgumentException("no role " + role);
    }

    /** So many of its elastic role stay, whoever else may leave. */
    public int least(Elastic elastic) {
        return Math.max(elastic.min(), minimum(elastic.role()));
    }

    /** What pods of these parts use of queues and namespaces. */
    public Use use(Shape shape) {
        return use(work, shape);
    }

    private static Use use(Work work, Shape shape) {
        var use = Use.NONE;
        for (var part : shape.parts()) {
            var pod = work.role(part.role()).pod();
            use = use.plus(Use.of(pod).times(part.pods()));
        }
        return use;
    }

    /** Roles whose pods may be made, given how the others stand; once open, a role stays open. */
    public SortedSet<String> open(SortedSet<String> before, SortedMap<String, Tally.OfRole> tally) {
        var open = new TreeSet<>(before);
        for (var role : work.roles()) {
            if (areMet(role.dependsOn(), tally)) {
                open.add(role.name());
            }
        }
        return open;
    }

    /**
     * Later roles that are to be placed now: those that are open and those that wait, for nothing
     * but to run or to be ready, for what is placed or is to be placed with them.
     */
    public SortedSet<String> due(SortedSet<String> opened, Gang gang) {
        var due = new TreeSet<String>();
        if (later.isEmpty()) {
            return due;
        }
        var tally = gang.tally().byRole();
        boolean grew = true;
        while (grew) {
            grew = false;
            for (var role : work.roles()) {
                var name = role.name();
                if (later.contains(name)
                        && gang.count(name) == 0
                        && (opened.contains(name) || isTied(role, tally, gang, due))) {
                    grew |= due.add(name);
                }
            }
        }
        return due;
    }

    private boolean isTied(
            Role role, SortedMap<String, Tally.OfRole> tally, Gang gang, SortedSet<String> due) {
        for (var dependency : role.dependsOn()) {
            var other = dependency.role();
            boolean comes =
                    dependency.until() != Milestone.SUCCEEDED
                            && (gang.count(other) > 0 || due.contains(other));
            if (!comes && !isMet(dependency, tally)) {
                return false;
            }
        }
        return true;
    }

    private boolean areMet(List<DependsOn> all, SortedMap<String, Tally.OfRole> tally) {
        for (var dependency : all) {
            if (!isMet(dependency, tally)) {
                return false;
            }
        }
        return true;
    }

    /** What failed never counts, also where the job goes on without it. */
    private boolean isMet(DependsOn dependency, SortedMap<String, Tally.OfRole> tally) {
        var role = tally.get(dependency.role());
        if (role == null) {
            return false;
        }
        int least = least(role);
        return switch (dependency.until()) {
            case RUNNING -> role.running() + role.succeeded() >= least;
            case READY -> role.ready() + role.succeeded() >= least;
            case SUCCEEDED -> role.hasSucceeded() && role.succeeded() >= least;
        };
    }

    /** Of an elastic role that has succeeded those count that it came to have, also if few. */
    private int least(Tally.OfRole role) {
        int minimum = minimum(role.role());
        return work.isElastic(role.role()) && role.hasSucceeded()
                ? Math.min(minimum, role.awaited())
                : minimum;
    }

    /**
     * What of others has to run or to be ready before a role's ranks are made again; what waited
     * for a success does so no more. Whoever has ended for good, however, is not waited for.
     *
     * @return null: nothing
     */
    public @Nullable DependsOn missing(String role, SortedMap<String, Tally.OfRole> tally) {
        for (var dependency : work.role(role).dependsOn()) {
            var other = tally.get(dependency.role());
            if (other != null
                    && !other.hasSucceeded()
                    && fine(other, dependency.until()) < minimum(other.role())) {
                return dependency;
            }
        }
        return null;
    }

    private static int fine(Tally.OfRole role, Milestone milestone) {
        return switch (milestone) {
            case RUNNING -> role.fine();
            case READY -> role.fineAndReady();
            case SUCCEEDED -> Integer.MAX_VALUE;
        };
    }

    /**
     * What a role waits for that will never be, since what failed of it counts as an end and not as
     * what is awaited.
     *
     * @return one sentence for people; null: all may still come
     */
    public @Nullable String blocked(
            SortedSet<String> opened, SortedMap<String, Tally.OfRole> tally) {
        for (var role : work.roles()) {
            for (var dependency : role.dependsOn()) {
                var other = tally.get(dependency.role());
                if (other != null
                        && !opened.contains(role.name())
                        && !isMet(dependency, tally)
                        && !mayBeMet(other)) {
                    return "%s waits for %s to %s: %d must, and %d of %d failed"
                            .formatted(
                                    role.name(),
                                    other.role(),
                                    verb(dependency.until()),
                                    least(other),
                                    other.ignored(),
                                    other.awaited());
                }
            }
        }
        return null;
    }

    private boolean mayBeMet(Tally.OfRole role) {
        return role.desired() - role.ignored() >= minimum(role.role()) && !role.hasSucceeded();
    }

    private static String verb(Milestone milestone) {
        return switch (milestone) {
            case RUNNING -> "run";
            case READY -> "be ready";
            case SUCCEEDED -> "succeed";
        };
    }
}
