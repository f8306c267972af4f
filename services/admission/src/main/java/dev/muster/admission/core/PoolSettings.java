package dev.muster.admission.core;

import dev.muster.admission.core.PodNeeds.Toleration;
import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.contract.Paths;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pool as it is to be, as far as admission judges it.
 *
 * @param number its inbox partition; null: the lowest free one
 * @param notices keys of taints and annotations and types of conditions, by their field
 * @param nodeHealth how failures of nodes are remembered
 * @param unknown paths of the fields whose value only a later release knows
 */
public record PoolSettings(
        @Nullable Integer number,
        Map<String, String> nodeSelector,
        Duration minimumRun,
        int preemptionBudget,
        Map<String, Integer> priorityClasses,
        Duration agingStep,
        int agingMost,
        Map<String, String> spotSelector,
        List<Toleration> spotTolerations,
        Backing backing,
        Map<String, List<String>> notices,
        NodeHealth nodeHealth,
        List<String> unknown) {
    /** Of a key: a domain of 253, a slash, and a name of 63. */
    private static final int MOST_LETTERS = 317;

    private static final int MOST_NOTICES = 100;

    /**
     * Who binds the pods.
     *
     * @param another not the pool itself
     * @param delegated the backend alone knows about room
     * @param queue the backend's own; null: named as the job's
     */
    public record Backing(boolean another, boolean delegated, @Nullable String queue) {
        public static final Backing NONE = new Backing(false, false, null);
    }

    /**
     * How failures of nodes are remembered.
     *
     * @param halfLife in which half of it is forgotten
     * @param excludeAt so many close a node
     */
    public record NodeHealth(Duration halfLife, int excludeAt) {
        private void check(Problems problems) {
            var numbers = new Numbers(problems);
            numbers.notNegative("spec.nodeHealth.halfLife", halfLife);
            problems.unless(
                    halfLife.compareTo(Limits.NODE_HEALTH_HALF_LIFE) <= 0,
                    "spec.nodeHealth.halfLife",
                    Numbers.asWritten(halfLife),
                    "must be at most " + Numbers.asWritten(Limits.NODE_HEALTH_HALF_LIFE));
            numbers.within(
                    "spec.nodeHealth.excludeAt", excludeAt, 0, Limits.NODE_HEALTH_EXCLUDE_AT);
        }
    }

    public PoolSettings {
        nodeSelector = Ordered.copy(nodeSelector);
        priorityClasses = Ordered.copy(priorityClasses);
        spotSelector = Ordered.copy(spotSelector);
        spotTolerations = List.copyOf(spotTolerations);
        notices = Ordered.copy(notices);
        unknown = List.copyOf(unknown);
    }

    void check(Problems problems) {
        Names.checkLabels("spec.nodeSelector", nodeSelector, problems);
        for (var path : unknown) {
            problems.add(path, "", "is a value that this release does not know");
        }
        var numbers = new Numbers(problems);
        if (number != null) {
            numbers.within("spec.number", number, 0, Limits.POOLS - 1);
        }
        numbers.notNegative("spec.minimumRun", minimumRun);
        numbers.atLeastZero("spec.preemptionBudget", preemptionBudget);
        Ordered.copy(priorityClasses)
                .forEach((name, priority) -> {
                    var path = Paths.field("spec.priorityClasses", name);
                    problems.unless(
                            Names.isSubdomain(name),
                            path,
                            name,
                            "must have the name of a PriorityClass");
                    numbers.priority(path, priority);
                });
        numbers.notNegative("spec.aging.step", agingStep);
        numbers.within("spec.aging.most", agingMost, 0, Numbers.MOST_PRIORITY);
        problems.unless(
                backing.queue() == null || Names.isSubdomain(backing.queue()),
                "spec.backendQueue",
                String.valueOf(backing.queue()),
                "must be the name of a queue of the backend");
        Names.checkLabels("spec.spot.nodeSelector", spotSelector, problems);
        for (int i = 0; i < spotTolerations.size(); i++) {
            spotTolerations.get(i).check("spec.spot.tolerations[" + i + "]", problems);
        }
        checkNotices(problems);
        nodeHealth.check(problems);
    }

    private void checkNotices(Problems problems) {
        notices.forEach((field, keys) -> {
            for (int i = 0; i < keys.size(); i++) {
                problems.unless(
                        !keys.get(i).isBlank() && keys.get(i).length() <= MOST_LETTERS,
                        Paths.field("spec.notices", field) + "[" + i + "]",
                        keys.get(i),
                        "must have 1 to %d letters".formatted(MOST_LETTERS));
            }
            problems.unless(
                    keys.size() <= MOST_NOTICES,
                    Paths.field("spec.notices", field),
                    keys.size(),
                    "must have at most %d entries".formatted(MOST_NOTICES));
        });
    }

    /** Whether the fields go with each other, where all of them are known. */
    void checkTogether(Problems problems) {
        problems.unless(
                backing.another() || !backing.delegated(),
                "spec.capacity",
                "delegated",
                "needs a backend that chooses the nodes, such as volcano");
        problems.unless(
                backing.another() || backing.queue() == null,
                "spec.backendQueue",
                String.valueOf(backing.queue()),
                "needs a backend, such as volcano");
    }
}
