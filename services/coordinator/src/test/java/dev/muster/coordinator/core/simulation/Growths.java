package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.effects.Effect.PlannedPod;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Scaling;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Commands that make a role larger, as promises of host lists look at them. */
final class Growths {
    private Growths() {}

    /** Some may come by it, or by the one that took its place. */
    static boolean brings(Scaling scaling) {
        return scaling.to() > scaling.from()
                && (!scaling.isOver() || scaling.stage() == Scaling.Stage.SUPERSEDED);
    }

    /** Whoever comes by it comes into the list when all have. */
    static boolean isTogether(Scaling scaling) {
        return brings(scaling) && scaling.atomic();
    }

    /** It took the place of the other, and what that one brought counts for it. */
    static boolean isHeir(Scaling before, Scaling next) {
        return before.stage() == Scaling.Stage.SUPERSEDED
                && before.role().equals(next.role())
                && before.from() == next.from()
                && before.to() > before.from()
                && next.to() > next.from();
    }

    /** Some of what one brings is listed, and some may not be. */
    static boolean isSplit(Scaling by, @Nullable RunPlan plan, Set<RankId> before) {
        var listed = planned(plan, pod -> pod.part().host() && pod.rank().role().equals(by.role()));
        return !by.atomic() && !before.containsAll(listed);
    }

    /** As many stay as it asks for. */
    static boolean isWhole(Scaling by, RunPlan plan) {
        var stay =
                planned(
                        plan,
                        pod -> pod.part().drain() == null && pod.rank().role().equals(by.role()));
        return stay.size() >= by.to();
    }

    /** Whom a plan names, of those that are asked for; null: there is none. */
    static Set<RankId> planned(@Nullable RunPlan plan, Predicate<PlannedPod> asked) {
        return plan == null
                ? new TreeSet<>()
                : plan.pods().stream()
                        .filter(asked)
                        .map(PlannedPod::rank)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    /** So many of the role may have been told to leave, and not yet by when. */
    static void mayLeave(List<PlannedPod> absent, String role, int most) {
        var ofRole = absent.stream().filter(pod -> pod.rank().role().equals(role)).toList();
        if (ofRole.size() <= most) {
            absent.removeAll(ofRole);
        }
    }
}
