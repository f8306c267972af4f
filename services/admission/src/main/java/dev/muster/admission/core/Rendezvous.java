package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Framework;
import dev.muster.admission.core.TrainJob.Role;
import dev.muster.admission.core.TrainJob.Spec;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What keeps the processes of pytorch from meeting: they have to know where rank 0 listens, and
 * wait until all are there.
 */
final class Rendezvous {
    private final Spec spec;
    private final Map<String, Integer> worlds;
    private final Problems problems;
    private final Problems warnings;

    /**
     * @param spec filled in
     */
    Rendezvous(Spec spec, Problems problems, Problems warnings) {
        this.spec = spec;
        this.worlds = Worlds.of(spec.roles());
        this.problems = problems;
        this.warnings = warnings;
    }

    void check() {
        if (spec.framework() != Framework.PYTORCH || spec.roles().size() > RoleChecks.MOST_ROLES) {
            return;
        }
        // What the gang asks for beyond its roles' minima, role by role.
        long more = together() - spec.roles().stream().mapToLong(Rendezvous::minimum).sum();
        for (int i = 0; i < spec.roles().size(); i++) {
            var role = spec.roles().get(i);
            var path = "spec.roles[" + i + "]";
            int added = Math.clamp(more, 0, Math.max(0, spec.size(role) - minimum(role)));
            more -= added;
            checkMinimum(role, minimum(role) + added, path);
            checkPort(role, path);
        }
        var variables = new MeetingVariables(spec, warnings);
        new TreeSet<>(worlds.values())
                .forEach(world -> variables.check(together(world), first(world)));
    }

    private long together() {
        var gang = spec.gang();
        return gang == null || gang.min() == null ? 0 : gang.min();
    }

    private static int minimum(Role role) {
        return Objects.requireNonNullElse(role.min(), role.replicas());
    }

    /** Of an elastic role the rendezvous waits for no more than start together. */
    private void checkMinimum(Role role, int starting, String path) {
        warnings.unless(
                role.elastic() || starting >= role.replicas(),
                path + ".min",
                starting,
                "is less than replicas: with framework pytorch the processes that start wait for"
                        + " all %d (WORLD_SIZE, PET_NNODES), unless the role is elastic"
                                .formatted(role.replicas()));
    }

    /** On its node's network rank 0 listens at a port that is chosen when it is placed. */
    private void checkPort(Role role, String path) {
        var first = first(worlds.getOrDefault(role.name(), 0));
        var before = ends(first);
        problems.unless(
                !first.hostNetwork() || ends(role).containsAll(before),
                path + ".dependsOn",
                "",
                "must wait, as role %s does, until %s succeeded: on its node's network that role gets its port only then, and role %s has to be told"
                        .formatted(
                                first.name(),
                                String.join(" and ", before)
                                        + (before.size() == 1 ? " has" : " have"),
                                role.name()));
    }

    private List<Role> together(int world) {
        return spec.roles().stream()
                .filter(role -> worlds.getOrDefault(role.name(), 0) == world)
                .toList();
    }

    private Role first(int world) {
        var together = together(world);
        return together.stream()
                .filter(role -> role.name().equals("master"))
                .findFirst()
                .orElse(together.getFirst());
    }

    /** Roles that must have succeeded before this one is placed. */
    private Set<String> ends(Role role) {
        var ends = new TreeSet<String>();
        collect(role, ends, new HashSet<>());
        return ends;
    }

    private void collect(Role role, Set<String> ends, Set<String> met) {
        for (var dependency :
                Objects.requireNonNullElse(role.dependsOn(), List.<TrainJob.Dependency>of())) {
            if (dependency.phase() == DependencyPhase.SUCCEEDED) {
                ends.add(dependency.on());
            }
            if (met.add(dependency.on())) {
                spec.roles().stream()
                        .filter(other -> other.name().equals(dependency.on()))
                        .forEach(other -> collect(other, ends, met));
            }
        }
    }
}
