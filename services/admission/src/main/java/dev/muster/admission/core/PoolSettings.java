package dev.muster.admission.core;

import dev.muster.admission.core.PodNeeds.Toleration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pool as it is to be, as far as admission judges it.
 *
 * @param number its inbox partition; null: the lowest free one
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
        List<String> unknown) {

    public PoolSettings {
        nodeSelector = Ordered.copy(nodeSelector);
        priorityClasses = Ordered.copy(priorityClasses);
        spotSelector = Ordered.copy(spotSelector);
        spotTolerations = List.copyOf(spotTolerations);
        unknown = List.copyOf(unknown);
    }

    void check(Problems problems) {
        Names.checkLabels("spec.nodeSelector", nodeSelector, problems);
        for (var path : unknown) {
            problems.add(path, "", "is a value that this release does not know");
        }
        var numbers = new Numbers(problems);
        if (number != null) {
            numbers.within("spec.number", number, 0, SettingsRules.MOST_POOLS - 1);
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
        Names.checkLabels("spec.spot.nodeSelector", spotSelector, problems);
        for (int i = 0; i < spotTolerations.size(); i++) {
            spotTolerations.get(i).check("spec.spot.tolerations[" + i + "]", problems);
        }
    }
}
