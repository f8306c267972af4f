package dev.muster.coordinator.core;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What decisions need of a TrainJob, every default filled in. Templates and environment stay with
 * the shell, which puts them into the plans.
 *
 * @param roles in the user's order, at least one
 * @param gangTimeout from the plan until the gang runs
 * @param ttl after the end, then its objects are deleted; null: never
 * @param grace for pods that are stopped by us
 */
public record JobSpec(
        String queue,
        int priority,
        List<Role> roles,
        Success success,
        Cleanup cleanup,
        Duration gangTimeout,
        @Nullable Duration ttl,
        Duration grace) {

    /**
     * Pods of one template.
     *
     * @param replicas 1 or more
     * @param demand of one pod
     * @param restart what the kubelet does with a container that failed
     */
    public record Role(
            String name, int replicas, Amounts demand, NodeFilter filter, Restart restart) {}

    public enum Restart {
        NEVER,
        ON_FAILURE
    }

    public enum Cleanup {
        ALL,
        RUNNING,
        NONE
    }

    /** When the job has succeeded. */
    public sealed interface Success {
        record All() implements Success {}

        record Any() implements Success {}

        record OfRole(String role) implements Success {}
    }

    public JobSpec {
        roles = List.copyOf(roles);
    }

    /** What the pods of the gang need; jobs of the same shape fit or do not fit together. */
    Shape shape() {
        return new Shape(
                roles.stream()
                        .map(r -> new Shape.Part(r.name(), r.replicas(), r.demand(), r.filter()))
                        .toList());
    }

    Role role(String name) {
        return roles.stream()
                .filter(role -> role.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no role " + name));
    }

    int pods() {
        return roles.stream().mapToInt(Role::replicas).sum();
    }
}
