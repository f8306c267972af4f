package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Made;
import dev.muster.coordinator.core.jobs.Scalings;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
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

    /** When nothing moves any more, a command under way waits for somebody or for its hook. */
    static void nothingWaitsForNothing(Play play) {
        for (var row : play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values()) {
            var job = (Job) row;
            var scaling = Scaling.underWay(job);
            if (scaling != null && !waits(play, job, scaling)) {
                throw new AssertionError(
                        "%s waits for nobody: %s, %s"
                                .formatted(job.id(), scaling, play.ranks(job.id())));
            }
        }
    }

    /** A shrink waits for who leaves, a growth for room and for who does not run. */
    private static boolean waits(Play play, Job job, Scaling scaling) {
        var role = scaling.role();
        var ranks = play.ranks(job.id()).stream().filter(r -> r.id().role().equals(role)).toList();
        boolean isHooked =
                play.rows
                        .getOrDefault(Row.Table.HOOK, new TreeMap<>())
                        .containsKey(job.id().toString());
        boolean isLeft = ranks.stream().anyMatch(Rank::isLeaving);
        if (!scaling.isGrowth() || isHooked) {
            return job.state().isUp() ? isHooked || isLeft : scaling.isGrowth();
        }
        long there =
                ranks.stream()
                        .filter(rank -> !rank.isLeaving() && Scalings.isThere(job, rank))
                        .count();
        boolean isThere = there >= job.spec().role(role).replicas();
        return !job.state().isUp() || !isThere || isLeft;
    }

    /**
     * A plan forces nobody whom it wants, and nobody whose node is heard of. What was bound
     * nowhere, since the node that it waits for died before, runs nowhere.
     */
    static void isForcedWhereDead(RunPlan plan, Made made, Set<String> silent) {
        var rank = made.pod().mark().rank();
        if (!made.job().equals(plan.job()) || !made.isAmong(plan.forced())) {
            return;
        }
        var node = made.pod().node();
        boolean isDead = node == null || silent.contains(node) || node.equals("spare");
        if (!isDead || plan.all().stream().anyMatch(planned -> made.isOf(plan, planned))) {
            throw new AssertionError("%s is forced on %s: %s".formatted(rank, node, plan));
        }
    }

    /** A plan forces whoever has left his job, and was given up with a node that is dead still. */
    static void everyoneIsForced(Play play, RunPlan plan) {
        var job = play.job(plan.job());
        if (!job.state().isUp() || job.fences().plan() != plan.version() || job.due().plan()) {
            return;
        }
        for (var rank : play.ranks(job.id())) {
            boolean isWanted =
                    plan.all().stream().anyMatch(planned -> planned.rank().equals(rank.id()));
            boolean isThere = rank.isLeaving() && !rank.sight().gone() && !isWanted;
            if (isThere
                    && rank.givenUp()
                    && play.rows(Row.Table.NODE).get(rank.whereabouts()) instanceof Node node
                    && !node.ready()
                    && !plan.forced().contains(ForcedPods.of(rank.id()))) {
                throw new AssertionError("%s is not forced by %s".formatted(rank, plan));
            }
        }
    }
}
