package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.gang.UnjudgedFailures;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import java.util.Map;
import java.util.TreeMap;

/**
 * The gang does not go on without a critical rank that has failed: it is neither made again beside
 * the others nor let go, whatever the rules say.
 */
final class CriticalPromises {
    /** Who has failed, in the attempt in which his job goes on. */
    private final Map<JobId, Map<RankId, Rank>> lost = new TreeMap<>();

    private int weighed;

    void areKept(Play play) {
        lost.keySet().removeIf(id -> !play.isUp(id) && isOver(play, id));
        for (var row : play.rows(Row.Table.JOB).values()) {
            var job = (Job) row;
            if (job.state().isUp()) {
                goesNotOn(play, job);
            }
        }
    }

    /** It counts where less would have been restarted without it. */
    private boolean isOver(Play play, JobId id) {
        if (play.rows(Row.Table.JOB).get(id.toString()) instanceof Job job
                && job.state() instanceof JobState.Restarting) {
            for (var rank : lost.getOrDefault(id, Map.of()).values()) {
                var failure = UnjudgedFailures.failure(rank);
                var policy = job.spec().failureOf(rank.id().role());
                var said = policy.actionOn(failure);
                boolean isLess =
                        said instanceof Action.RestartPod
                                || said instanceof Action.RestartRole
                                || said instanceof Action.Ignore
                                || policy.otherwise() == Otherwise.POD;
                weighed += isLess ? 1 : 0;
            }
        }
        return true;
    }

    private void goesNotOn(Play play, Job job) {
        var now = new TreeMap<RankId, Rank>();
        play.ranks(job.id()).stream()
                .filter(rank -> job.spec().isCritical(rank.id()))
                .forEach(rank -> now.put(rank.id(), rank));
        var known = lost.computeIfAbsent(job.id(), _ -> new TreeMap<>());
        known.values().removeIf(rank -> rank.making().attempt() != job.fences().attempt());
        for (var before : known.values()) {
            var rank = now.get(before.id());
            boolean isLeft =
                    rank == null
                            ? job.spec().work().isElastic(before.id().role())
                            : rank.isLeaving();
            boolean isAwaited =
                    rank != null
                            && UnjudgedFailures.isOne(rank)
                            && rank.making().incarnation() == before.making().incarnation();
            if (!isLeft && !isAwaited) {
                throw new AssertionError(
                        "%s goes on without %s: %s".formatted(job.id(), before, rank));
            }
        }
        now.values().removeIf(rank -> !UnjudgedFailures.isOne(rank));
        known.keySet().retainAll(now.keySet());
        known.putAll(now);
        if (!now.isEmpty()
                && !(job.state() instanceof JobState.Saving)
                && !isToBeJudged(play, job)) {
            throw new AssertionError("%s never judges %s".formatted(job.id(), now));
        }
    }

    private static boolean isToBeJudged(Play play, Job job) {
        var alarms = play.rows(Row.Table.ALARM);
        var id = job.id().toString();
        return alarms.containsKey(Alarm.key(Alarm.Kind.SETTLE, id).id())
                || alarms.containsKey(Alarm.key(Alarm.Kind.NODE_SETTLE, id).id());
    }

    /** How often a gang started anew for one without whom others would have gone on. */
    int weighed() {
        return weighed;
    }
}
