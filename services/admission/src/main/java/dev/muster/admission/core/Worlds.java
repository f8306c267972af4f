package dev.muster.admission.core;

import dev.muster.admission.core.TrainJob.Dependency;
import dev.muster.admission.core.TrainJob.DependencyPhase;
import dev.muster.admission.core.TrainJob.Role;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Which roles of a job train together, so that they count each other's processes. If a role waits
 * for another to succeed, that one has ended when it starts: the two never run at the same time.
 *
 * <p>A role's number says how many generations of later roles wait for it to succeed: 0 for the
 * last generation, and for every role whose success nothing waits for. Roles of one stage of which
 * one waits for the other to run have the same number.
 */
public final class Worlds {
    private final List<Role> roles;

    /** Over how many ends a role comes. */
    private final Map<String, Integer> stages = new TreeMap<>();

    private final Map<String, Integer> numbers = new TreeMap<>();

    private Worlds(List<Role> roles) {
        this.roles = roles;
        for (var role : roles) {
            stages.put(role.name(), 0);
            numbers.put(role.name(), 0);
        }
    }

    /**
     * Their numbers by name.
     *
     * @param roles filled in; of those that wait for each other in a ring the numbers say nothing
     */
    public static Map<String, Integer> of(List<Role> roles) {
        var worlds = new Worlds(roles);
        worlds.untilNothingChanges(worlds::stage);
        worlds.untilNothingChanges(worlds::number);
        return worlds.numbers;
    }

    /** One change of what a dependency asks for; true: there was one. */
    private interface Step {
        boolean take(Role waiting, Dependency dependency);
    }

    /** As often as the longest way through the roles, which a ring would be without end. */
    private void untilNothingChanges(Step step) {
        boolean changes = true;
        for (int round = 0; changes && round < roles.size(); round++) {
            changes = false;
            for (var role : roles) {
                for (var dependency : Objects.requireNonNull(role.dependsOn())) {
                    if (stages.containsKey(dependency.on())) {
                        changes |= step.take(role, dependency);
                    }
                }
            }
        }
    }

    private boolean stage(Role waiting, Dependency on) {
        return raise(stages, waiting.name(), of(stages, on.on()) + ends(on));
    }

    private boolean number(Role waiting, Dependency on) {
        boolean changes = raise(numbers, on.on(), of(numbers, waiting.name()) + ends(on));
        boolean isSameStage = of(stages, on.on()) == of(stages, waiting.name());
        return isSameStage && raise(numbers, waiting.name(), of(numbers, on.on())) || changes;
    }

    private static int ends(Dependency dependency) {
        return dependency.phase() == DependencyPhase.SUCCEEDED ? 1 : 0;
    }

    /** True: it was less. */
    private static boolean raise(Map<String, Integer> values, String name, int least) {
        boolean isLess = of(values, name) < least;
        if (isLess) {
            values.put(name, least);
        }
        return isLess;
    }

    private static int of(Map<String, Integer> values, String name) {
        return values.getOrDefault(name, 0);
    }
}
