package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Event.Pod;
import dev.muster.coordinator.core.Event.PodMark;
import dev.muster.coordinator.core.Event.PodPhase;
import dev.muster.coordinator.core.Rank.InPlace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Starts containers again in their pods: where the kubelet has done so by itself, that is it; else
 * it is asked for. Only a container that is seen to have started again counts; what is given up or
 * not seen in time has failed, and its pod is made again.
 */
final class InPlaceRestarts {
    /** Beyond the time that the old container may take to end. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** How many ranks one step gives up waiting for. */
    private static final int AT_ONCE = 200;

    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;

    InPlaceRestarts(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
    }

    /** How it stands with a rank once its pod is seen so. */
    static @Nullable InPlace after(Rank rank, Pod pod) {
        var sight = rank.sight();
        boolean runsAgain = hasRestarted(rank, pod) && runs(pod);
        if (sight.inPlace() == null) {
            return rank.state() == RankState.FAILED && runsAgain ? InPlace.DONE : null;
        }
        return switch (sight.inPlace()) {
            case WANTED -> runsAgain ? InPlace.DONE : InPlace.WANTED;
            case DONE -> pod.main() == null ? InPlace.DONE : endedAgain(rank);
            case ASKED -> isAwaited(rank, pod) ? InPlace.ASKED : null;
        };
    }

    private static @Nullable InPlace endedAgain(Rank rank) {
        return rank.state() == RankState.RETURNING ? InPlace.WANTED : null;
    }

    /** It was asked to start again and has not: what its old container does means nothing. */
    static boolean isAwaited(Rank rank, Pod pod) {
        return rank.is(InPlace.ASKED) && !hasRestarted(rank, pod);
    }

    private static boolean hasRestarted(Rank rank, Pod pod) {
        return pod.runs() != null && pod.runs().count() > rank.sight().restarts();
    }

    private static boolean runs(Pod pod) {
        return pod.phase() == PodPhase.RUNNING && pod.main() == null;
    }

    /** Whether a rank that returns does so in its pod, if that is still as it should be. */
    boolean restarts(Rank rank) {
        return rank.is(InPlace.DONE)
                || rank.is(InPlace.WANTED)
                        && rank.sight().podUid() != null
                        && tables.settings().recreates();
    }

    /** Under the next incarnation of its job. */
    void restart(Job job, Rank rank) {
        var fences = job.fences().nextIncarnation();
        boolean isDone = rank.is(InPlace.DONE);
        var sight = rank.sight();
        var next =
                isDone
                        ? sight.judged(RankState.RUNNING, false, null)
                        : sight.judged(RankState.ORDERED, false, null, InPlace.ASKED);
        tables.put(rank.with(rank.making().inPlace(fences.incarnation()), next));
        var told = job.with(fences).nextSeq();
        tables.put(told.with(new Job.Due(job.due().plan() || !isDone, true)));
        journal.publish(Effect.RankPlaced.of(told, rank.id(), rank.making().node()));
        if (!isDone) {
            var at = tables.now().plus(job.spec().grace()).plus(PATIENCE);
            tables.alarm(Alarm.Kind.IN_PLACE, job.id().toString(), at);
        }
    }

    /** Something was seen of a rank that was asked to start again. */
    void seen(JobId id, RankId rankId) {
        var job = tables.job(id);
        var rank = job == null ? null : tables.gang(job).get(rankId);
        if (job == null || rank == null || !job.state().isUp()) {
            return;
        }
        if (!rank.is(InPlace.ASKED)) {
            // It has, and must not be asked to once more.
            jobs.gather(job, new Job.Due(true, true));
        } else if (rank.sight().over()) {
            makeAgain(job, rank, "its pod ended instead");
        }
    }

    /** Whoever was asked has given it up: waiting longer cannot help. */
    void failed(JobId id, PodMark mark, String message) {
        var job = tables.job(id);
        var rank = job == null ? null : tables.gang(job).get(mark.rank());
        if (job != null && rank != null && job.state().isUp() && isOfRequest(rank, mark)) {
            makeAgain(job, rank, "that was given up" + (message.isEmpty() ? "" : ": " + message));
        }
    }

    /** Whether the newest that was asked for is meant, and is awaited still. */
    private static boolean isOfRequest(Rank rank, PodMark mark) {
        return rank.is(InPlace.ASKED)
                && rank.making().attempt() == mark.attempt()
                && rank.making().inPlace() == mark.incarnation()
                && mark.podUid().equals(rank.sight().podUid());
    }

    /** What was asked for and was not seen by now has failed. */
    void passed(@Nullable Job job) {
        if (job == null || !job.state().isUp()) {
            return;
        }
        if (Blindness.now(tables, job.id())) {
            var at = tables.now().plus(Pods.PLACE_AGAIN);
            tables.alarm(Alarm.Kind.IN_PLACE, job.id().toString(), at);
            return;
        }
        var late =
                tables.gang(job).in(RankState.ORDERED).stream()
                        .filter(rank -> rank.is(InPlace.ASKED))
                        .toList();
        for (var rank : late.stream().limit(AT_ONCE).toList()) {
            makeAgain(tables.current(job), rank, "that was not seen in time");
        }
        if (late.size() > AT_ONCE) {
            tables.alarm(Alarm.Kind.IN_PLACE, job.id().toString(), tables.now());
        }
    }

    private void makeAgain(Job job, Rank rank, String why) {
        var sight = rank.sight();
        var message = "%s was to start again in its pod; %s".formatted(rank.id(), why);
        tables.put(rank.with(sight.judged(RankState.RETURNING, sight.released(), null)));
        var told = job.nextSeq();
        tables.put(told);
        journal.publish(Effect.RankEnded.of(told, rank, null, "RestartInPlaceFailed", message));
        tables.alarm(Alarm.Kind.REMAKE, job.id().toString(), tables.now());
        jobs.gather(tables.current(told), new Job.Due(false, true));
    }
}
