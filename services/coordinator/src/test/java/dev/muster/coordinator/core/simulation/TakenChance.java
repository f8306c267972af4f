package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Failure;
import dev.muster.coordinator.core.model.Failure.Cause;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Success;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pods that the cluster takes away, or somebody deletes, or whose own time is up, whose programs
 * end as if all were well, and jobs that succeed by one role or by anybody: nobody has succeeded
 * who was told to end, no job without anybody who has, and the cluster is charged with nothing
 * while it does nothing.
 */
final class TakenChance implements Piece {
    private final Random random;
    private final long seed;
    private Map<JobId, List<Rank>> ranks = new HashMap<>();
    private Map<String, Row> jobs = new TreeMap<>();
    private Map<String, Row> nodes = new TreeMap<>();
    private int weighed;

    TakenChance(long seed) {
        this.seed = seed;
        random = new Random(seed ^ 0x7a4eL);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.Submitted(var id, var spec, var request) ->
                    new Event.Submitted(id, Respec.success(spec, success(spec)), request);
            case Event.PodSeen(var by, var job, var pod) -> new Event.PodSeen(by, job, taken(pod));
            default -> event;
        };
    }

    private Success success(JobSpec spec) {
        return switch (random.nextInt(4)) {
            case 0 -> new Success.Any();
            case 1, 2 -> new Success.OfRole(spec.roles().getFirst().name());
            default -> spec.work().success();
        };
    }

    /** The same news of a pod say the same. */
    private Pod taken(Pod pod) {
        int fate = new Random(seed ^ pod.mark().podUid().hashCode()).nextInt(16);
        boolean isOver = pod.phase() == PodPhase.SUCCEEDED;
        return switch (fate) {
            case 0 -> isOver ? as(pod, PodPhase.FAILED, false, "Evicted") : pod;
            case 1 -> isOver ? as(pod, pod.phase(), true, "EvictionByEvictionAPI") : pod;
            case 2 -> pod.phase() == PodPhase.PENDING ? pod : as(pod, pod.phase(), true, "");
            case 3 -> isOver ? as(pod, PodPhase.FAILED, false, "DeadlineExceeded") : pod;
            default -> pod;
        };
    }

    private static Pod as(Pod pod, PodPhase phase, boolean deleting, String reason) {
        return new Pod(
                pod.mark(),
                pod.resourceVersion(),
                phase,
                pod.node(),
                pod.ready() && phase == PodPhase.RUNNING,
                deleting,
                pod.unschedulable(),
                pod.main(),
                pod.hindrance(),
                reason,
                pod.message(),
                pod.runs());
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        if (event instanceof Event.PodSeen(_, var job, var pod)) {
            hasNotSucceeded(play, job, pod);
        }
        for (var row : play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()).values()) {
            var job = (Job) row;
            if (jobs.get(job.key().id()) instanceof Job before) {
                isChargedForSomething(play, before, job, event);
                hasSucceededBySomebody(play, before, job);
            }
        }
        ranks = new HashMap<>(play.ranks());
        jobs = new HashMap<>(play.rows.getOrDefault(Row.Table.JOB, new TreeMap<>()));
        nodes = new HashMap<>(play.rows.get(Row.Table.NODE));
    }

    private void hasNotSucceeded(Play play, JobId id, Pod pod) {
        var rank = of(play.ranks(id), pod);
        var before = of(ranks.getOrDefault(id, List.of()), pod);
        boolean isNews =
                rank != null
                        && before != null
                        && before.making().equals(rank.making())
                        && !before.state().hasEnded()
                        && !before.isLeaving()
                        && jobs.get(id.toString()) instanceof Job job
                        && job.state().isUp();
        if (isNews && Failure.isToldToEnd(pod, before.sight().deleting())) {
            weighed++;
            if (rank.state() == RankState.SUCCEEDED) {
                throw new AssertionError("%s was told to end: %s".formatted(rank, pod));
            }
        }
    }

    private static @Nullable Rank of(List<Rank> ranks, Pod pod) {
        return ranks.stream()
                .filter(rank -> rank.id().equals(pod.mark().rank()))
                .filter(rank -> rank.making().isOf(pod.mark()))
                .findFirst()
                .orElse(null);
    }

    private void isChargedForSomething(Play play, Job before, Job job, @Nullable Event event) {
        int charges = job.past().budgets().infrastructure();
        if (charges == before.past().budgets().infrastructure()
                || event instanceof Event.PodGone gone && gone.job().equals(job.id())
                || event instanceof Event.PodSeen seen && seen.job().equals(job.id())) {
            return;
        }
        var all = new ArrayList<>(ranks.getOrDefault(job.id(), List.of()));
        all.addAll(play.ranks(job.id()));
        if (!hasGathered(before) && all.stream().noneMatch(rank -> isTheClusters(play, rank))) {
            throw new AssertionError("%s is charged for %s".formatted(job, all));
        }
    }

    /** Restarts by a kubelet that was not heard of then; it may be heard of by the charge. */
    private static boolean hasGathered(Job before) {
        var open = before.past().budgets().open();
        return open != null
                && open.strongest().stream().anyMatch(one -> one.isBy(Cause.INFRASTRUCTURE));
    }

    private boolean isTheClusters(Play play, Rank rank) {
        var failure = rank.sight().failure();
        boolean isLost =
                rank.making().nodeGone()
                        || isSilent(nodes.get(rank.making().node()))
                        || isSilent(play.rows.get(Row.Table.NODE).get(rank.making().node()));
        return failure != null && failure.isBy(Cause.INFRASTRUCTURE)
                || rank.state() != RankState.SUCCEEDED && isLost;
    }

    private static boolean isSilent(@Nullable Row row) {
        return row instanceof Node node && (!node.ready() || node.silent());
    }

    private static void hasSucceededBySomebody(Play play, Job before, Job job) {
        if (job.state().phase() != Phase.SUCCEEDED || before.state().phase() == Phase.SUCCEEDED) {
            return;
        }
        var role = job.spec().success() instanceof Success.OfRole(var name) ? name : null;
        if (play.ranks(job.id()).stream()
                .filter(rank -> role == null || rank.id().role().equals(role))
                .noneMatch(rank -> rank.state() == RankState.SUCCEEDED)) {
            throw new AssertionError("nobody of %s has succeeded".formatted(job));
        }
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
