package dev.muster.coordinator.history;

import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Event.ListedPod;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.state.Effect;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The pods of a trial, which are only thought of: who is there, and who goes with which plan. */
final class SimulatedPods {
    private final TreeMap<String, Made> pods = new TreeMap<>();

    /**
     * @param seen how it was seen last; null: it was not yet
     * @param node where it is if it is not one of the log; null: it is
     */
    record Made(JobId job, PodMark mark, @Nullable Pod seen, @Nullable String node) {}

    /** One that was there when the stretch began. */
    void remember(Rank rank) {
        var making = rank.making();
        var uid = rank.sight().podUid();
        var key = key(rank.job(), rank.id(), making.incarnation());
        var mark =
                new PodMark(
                        rank.id(),
                        making.attempt(),
                        making.incarnation(),
                        0,
                        uid == null ? key : uid);
        pods.put(key, new Made(rank.job(), mark, null, null));
    }

    private static String key(JobId job, RankId rank, int incarnation) {
        return job + "/" + rank + "/" + incarnation;
    }

    private static String key(JobId job, PodMark mark) {
        return key(job, mark.rank(), mark.incarnation());
    }

    /**
     * As the log has it.
     *
     * @return false: it is not there
     */
    boolean seeAsRecorded(JobId job, Pod pod) {
        var seen = new Made(job, pod.mark(), pod, null);
        return pods.computeIfPresent(key(job, pod.mark()), (_, _) -> seen) != null;
    }

    /**
     * It has come so far.
     *
     * @return false: it is not there any more
     */
    boolean see(JobId job, Pod pod) {
        return pods.computeIfPresent(
                        key(job, pod.mark()),
                        (_, made) -> new Made(job, made.mark(), pod, made.node()))
                != null;
    }

    /**
     * @return null: it is there already
     */
    @Nullable PodMark make(Effect.RunPlan plan, Effect.PlannedPod planned) {
        var key = key(plan.job(), planned.rank(), planned.incarnation());
        var mark =
                new PodMark(
                        planned.rank(), plan.attempt(), planned.incarnation(), plan.version(), key);
        var made = new Made(plan.job(), mark, null, planned.node());
        return pods.putIfAbsent(key, made) == null ? mark : null;
    }

    /**
     * @return false: it was not there
     */
    boolean remove(JobId job, PodMark mark) {
        return pods.remove(key(job, mark)) != null;
    }

    List<Made> all() {
        return List.copyOf(pods.values());
    }

    /** Those that are thought of there. */
    List<Made> on(String node) {
        return pods.values().stream().filter(made -> node.equals(made.node())).toList();
    }

    /** As a list names them after a plan. */
    List<ListedPod> listed(JobId job) {
        return of(job).map(made -> new ListedPod(job.uid(), made.mark(), false)).toList();
    }

    /** Of the same rank. */
    List<Made> olderThan(JobId job, PodMark mark) {
        return of(job).filter(made -> made.mark().rank().equals(mark.rank()))
                .filter(made -> made.mark().incarnation() < mark.incarnation())
                .toList();
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

    private Stream<Made> of(JobId job) {
        return pods.values().stream().filter(made -> made.job().equals(job));
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
