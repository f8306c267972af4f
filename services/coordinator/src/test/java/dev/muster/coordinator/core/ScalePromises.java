package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import java.util.Set;
import java.util.TreeMap;

/** What commands of scale keep to whatever comes. */
final class ScalePromises {
    private ScalePromises() {}

    /** Who is there by a command that is under way is what it asked for beyond the size before. */
    static void areKept(Play play) {
        for (var row : play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values()) {
            var job = (Job) row;
            var scaling = Scaling.underWay(job);
            if (scaling == null || !scaling.brings()) {
                continue;
            }
            long brought =
                    play.ranks(job.id()).stream()
                            .filter(rank -> !rank.isLeaving())
                            .filter(rank -> rank.tenure().joined() == scaling.number())
                            .count();
            if (brought > scaling.to() - scaling.from()) {
                throw new AssertionError("%d came by %s".formatted(brought, scaling));
            }
        }
    }

    /** A plan forces nobody whom it wants, and nobody whose node is heard of. */
    static void isForcedWhereDead(RunPlan plan, Made made, Set<String> silent) {
        var rank = made.pod().mark().rank();
        if (!made.job().equals(plan.job()) || !plan.forced().contains(rank)) {
            return;
        }
        var node = made.pod().node();
        boolean isDead = node != null && (silent.contains(node) || node.equals("spare"));
        if (!isDead || plan.all().stream().anyMatch(planned -> planned.rank().equals(rank))) {
            throw new AssertionError("%s is forced on %s: %s".formatted(rank, node, plan));
        }
    }
}
