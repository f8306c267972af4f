package dev.muster.coordinator.history.whatif;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Event.ContainerEnd;
import dev.muster.coordinator.core.model.Event.ListedPod;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Hook;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The pods of a trial, which are only thought of: who is there, and who goes with which plan. */
final class SimulatedPods {
    /** By job, rank and incarnation: those of one job stand together, and those of one rank. */
    private final TreeMap<PodKey, Made> pods = new TreeMap<>();

    /**
     * @param seen how it was seen last; null: it was not yet
     */
    record Made(JobId job, PodMark mark, @Nullable Pod seen, String node) {}

    /** One that was there when the stretch began. */
    PodMark remember(Rank rank) {
        var mark = mark(rank);
        var seen = rank.sight().podUid() == null ? null : seen(rank);
        pods.put(key(rank), new Made(rank.job(), mark, seen, rank.making().node()));
        return mark;
    }

    /** The same, of a hook that was under way. */
    void remember(JobId job, HookRun.Making making) {
        var key = new PodKey(job, Hook.RANK, making.incarnation());
        var uid = making.podUid();
        var mark =
                new PodMark(
                        Hook.RANK,
                        making.attempt(),
                        making.incarnation(),
                        0,
                        uid == null ? key.toString() : uid);
        pods.put(key, new Made(job, mark, null, making.node()));
    }

    /**
     * As far as its row tells. That is older than what the pool knows: heard of again, it says that
     * the pod is there, and no more.
     */
    static Pod seen(Rank rank) {
        var sight = rank.sight();
        var phase =
                switch (rank.state()) {
                    case ORDERED, PENDING -> PodPhase.PENDING;
                    case RUNNING -> PodPhase.RUNNING;
                    case SUCCEEDED -> sight.over() ? PodPhase.SUCCEEDED : PodPhase.RUNNING;
                    case FAILED, RETURNING, IGNORED ->
                            sight.over() ? PodPhase.FAILED : PodPhase.RUNNING;
                };
        return pod(mark(rank), sight.resourceVersion() - 1, phase, rank.making().node());
    }

    private static PodMark mark(Rank rank) {
        var making = rank.making();
        var uid = rank.sight().podUid();
        return new PodMark(
                rank.id(),
                making.attempt(),
                making.incarnation(),
                0,
                uid == null ? key(rank).toString() : uid);
    }

    private static PodKey key(Rank rank) {
        return new PodKey(rank.job(), rank.id(), rank.making().incarnation());
    }

    /** That goes on, or has ended well. */
    static Pod pod(PodMark mark, long version, PodPhase phase, String node) {
        boolean runs = phase == PodPhase.RUNNING;
        var end = phase == PodPhase.SUCCEEDED ? new ContainerEnd(0, "Completed", "") : null;
        return new Pod(mark, version, phase, node, runs, false, false, end, null, "", "", null);
    }

    private static PodKey key(JobId job, PodMark mark) {
        return new PodKey(job, mark.rank(), mark.incarnation());
    }

    /**
     * As the log has it.
     *
     * @return false: it is not there
     */
    boolean seeAsRecorded(JobId job, Pod pod) {
        return pods.computeIfPresent(
                        key(job, pod.mark()),
                        (_, made) -> {
                            var node = pod.node() == null ? made.node() : pod.node();
                            return new Made(job, pod.mark(), pod, node);
                        })
                != null;
    }

    /**
     * It has come so far.
     *
     * @return as it is seen; null: it is not there any more
     */
    @Nullable Pod see(JobId job, Pod pod) {
        var made =
                pods.computeIfPresent(
                        key(job, pod.mark()),
                        (_, known) -> {
                            var seen = again(pod, known.mark(), known.node());
                            return new Made(job, known.mark(), seen, known.node());
                        });
        return made == null ? null : made.seen();
    }

    /** As another was seen. */
    static Pod again(Pod pod, PodMark mark, String node) {
        return new Pod(
                mark,
                pod.resourceVersion(),
                pod.phase(),
                pod.node() == null ? null : node,
                pod.ready(),
                false,
                false,
                pod.main(),
                pod.hindrance(),
                pod.reason(),
                pod.message(),
                pod.runs());
    }

    /**
     * @return null: it is there already
     */
    @Nullable PodMark make(Effect.RunPlan plan, Effect.PlannedPod planned) {
        var key = new PodKey(plan.job(), planned.rank(), planned.incarnation());
        var mark =
                new PodMark(
                        planned.rank(),
                        plan.attempt(),
                        planned.incarnation(),
                        plan.version(),
                        key.toString());
        var made = new Made(plan.job(), mark, null, planned.node());
        return pods.putIfAbsent(key, made) == null ? mark : null;
    }

    /**
     * @return false: it was not there
     */
    boolean remove(JobId job, PodMark mark) {
        return pods.remove(key(job, mark)) != null;
    }

    boolean isThere(JobId job, Effect.PlannedPod planned) {
        return pods.containsKey(new PodKey(job, planned.rank(), planned.incarnation()));
    }

    List<Made> all() {
        return List.copyOf(pods.values());
    }

    List<Made> on(String node) {
        return pods.values().stream().filter(made -> node.equals(made.node())).toList();
    }

    /** As a list names them after a plan. */
    List<ListedPod> listed(JobId job) {
        return of(job).map(made -> new ListedPod(job.uid(), made.mark(), false)).toList();
    }

    /** Of the same rank. */
    List<Made> olderThan(JobId job, PodMark mark) {
        var oldest = new PodKey(job, mark.rank(), 0);
        return List.copyOf(pods.subMap(oldest, key(job, mark)).values());
    }

    /** Who leaves has all of its drain, and is in no plan after that. */
    List<Made> unplanned(Effect.RunPlan plan) {
        var planned = new LinkedHashSet<RankId>();
        plan.all().forEach(pod -> planned.add(pod.rank()));
        return of(plan.job()).filter(made -> !planned.contains(made.mark().rank())).toList();
    }

    /** Whom this plan deletes. */
    List<Made> stopped(Effect.StopPlan plan) {
        return of(plan.job()).filter(goes(plan.stop().keep())).toList();
    }

    /** Without a look at all others: a trial has as many as its stretch. */
    private Stream<Made> of(JobId job) {
        return pods.tailMap(PodKey.first(job)).values().stream()
                .takeWhile(made -> made.job().equals(job));
    }

    private static Predicate<Made> goes(Decision.Keep keep) {
        return switch (keep) {
            case NONE -> _ -> true;
            case FINISHED -> made -> made.seen() == null || !hasEnded(made.seen());
            case ALL -> _ -> false;
        };
    }

    private static boolean hasEnded(Pod pod) {
        return pod.phase() == PodPhase.SUCCEEDED || pod.phase() == PodPhase.FAILED;
    }
}
