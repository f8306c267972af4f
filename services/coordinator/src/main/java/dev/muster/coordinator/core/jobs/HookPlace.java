package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.gang.Gang;
import dev.muster.coordinator.core.model.FirstRank;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Scaling;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which rank the pod of a hook is like, beside whom it runs, and what a plan says of it. */
final class HookPlace {
    private HookPlace() {}

    /** Beside the rank that it is like or, where that is nowhere, beside any. */
    static @Nullable String node(Job job, Gang gang) {
        var first = gang.get(like(job.spec()));
        if (first != null && first.making().hasNode()) {
            return first.making().node();
        }
        return gang.members().stream()
                .map(Rank::making)
                .filter(Rank.Making::hasNode)
                .map(Rank.Making::node)
                .findFirst()
                .orElse(null);
    }

    /** The launcher, or rank 0. */
    private static RankId like(JobSpec spec) {
        if (spec.work().hostList()) {
            return new RankId(JobSpec.LAUNCHER, 0);
        }
        var elastic = spec.work().elastic();
        return FirstRank.beside(
                elastic == null ? spec.roles().getFirst().name() : elastic.role(), spec);
    }

    /** What a plan says of it; null: nothing. */
    static Effect.@Nullable PlannedHook planned(@Nullable HookRun run, Job job) {
        var scaling = Scaling.underWay(job);
        if (run == null || run.making() == null || scaling == null) {
            return null;
        }
        var making = run.making();
        return new Effect.PlannedHook(
                run.hook(),
                like(job.spec()),
                making.incarnation(),
                making.node(),
                scaling.isGrowth() ? run.changed() : List.of(),
                scaling.isGrowth() ? List.of() : run.changed(),
                scaling);
    }
}
