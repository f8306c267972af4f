package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.Event.Pod;
import dev.muster.coordinator.core.model.Event.PodMark;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts containers again in their pods: where the kubelet has done so by itself, that is it; else
 * it is asked for. Only a container that is seen to have started again counts; what is given up or
 * not seen in time has failed, and its pod is made again; where all start again together, all pods
 * are.
 */
public final class InPlaceRestarts {
    /** Beyond the time that the old container may take to end. */
    public static final Duration RESTART_TIMEOUT = Duration.ofSeconds(60);

    private static final String FAILED = End.Code.RESTART_IN_PLACE_FAILED.label();

    /** How many ranks one step gives up waiting for. */
    private static final int AT_ONCE = 200;

    private final Tables tables;
    private final Journal journal;
    private final Jobs jobs;

    public InPlaceRestarts(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.journal = journal;
        this.jobs = jobs;
    }

    /** How it stands with a rank once its pod is seen so. */
    public static @Nullable InPlace after(Rank rank, Pod pod) {
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

    /**
     * It was asked to start again and has not: what its old container does means nothing. The pod
     * of who leaves may end all the same.
     */
    public static boolean isAwaited(Rank rank, Pod pod) {
        boolean isOver = pod.phase() == PodPhase.SUCCEEDED || pod.phase() == PodPhase.FAILED;
        return rank.is(InPlace.ASKED) && !hasRestarted(rank, pod) && !(isOver && rank.isLeaving());
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

    /**
     * Who starts again where all do: not those of roles that have succeeded, as others had waited
     * for.
     */
    List<Rank> all(Job job) {
        var awaited = new TreeSet<String>();
        for (var role : job.spec().roles()) {
            role.dependsOn().stream()
                    .filter(on -> on.until() == JobSpec.Milestone.SUCCEEDED)
                    .forEach(on -> awaited.add(on.role()));
        }
        for (var role : tables.gang(job).tally().roles()) {
            if (!role.hasSucceeded()) {
                awaited.remove(role.role());
            }
        }
        return tables.gang(job).members().stream()
                .filter(rank -> !awaited.contains(rank.id().role()))
                .toList();
    }

    /** Nobody runs who would have to be asked for, or somebody can be asked. */
    boolean canBeAskedOfAll(Job job) {
        return tables.settings().recreates()
                || all(job).stream().allMatch(rank -> rank.state().hasEnded());
    }

    /**
     * It was to start again in its pod with all others, and its pod does not let it: what of its
     * gang runs on would meet what is new.
     *
     * @param fits its pod is there, and is as it should be
     */
    boolean isDenied(Job job, Rank rank, boolean fits) {
        var sight = rank.sight();
        boolean isToStart = rank.is(InPlace.WANTED) || rank.is(InPlace.DONE);
        return isToStart
                && isWithAll(job, rank)
                && sight.podUid() != null
                && !sight.over()
                && !(fits && restarts(rank));
    }

    private static boolean isWithAll(Job job, Rank rank) {
        return job.spec().failureOf(rank.id().role()).otherwise() == FailurePolicy.Otherwise.GANG;
    }

    /** The gang is made anew as a new attempt, at once: its delay is over. */
    void giveUp(Job job, String why) {
        jobs.on(job, new JobEvent.RestartDecided(tables.now(), FAILED, why));
    }

    static String message(RankId rank, String why) {
        return "%s was to start again in its pod; %s".formatted(rank, why);
    }

    /** Under the next incarnation of its job. */
    void restart(Job job, Rank rank) {
        var fences = job.fences().nextIncarnation();
        boolean isDone = rank.is(InPlace.DONE);
        var sight = rank.sight();
        var by = isDone ? null : tables.now().plus(job.spec().grace()).plus(RESTART_TIMEOUT);
        var next =
                isDone
                        ? sight.judged(RankState.RUNNING, false, null)
                        : sight.judged(RankState.ORDERED, false, null, InPlace.ASKED);
        tables.put(rank.with(rank.making().inPlace(fences.incarnation(), by), next));
        var told = job.with(fences).nextSeq();
        var due = isDone ? Job.Due.STATUS : Job.Due.PLAN_AND_STATUS;
        tables.put(told.with(job.due().and(due)));
        journal.publish(Effect.RankPlaced.of(told, rank.id(), rank.making().node()));
        if (by == null) {
            jobs.hosts().mayChange(job.id());
        } else {
            tables.wakings.once(Alarm.Kind.IN_PLACE, job.id(), by);
        }
    }

    /** Something was seen of a rank that was asked to start again. */
    public void seen(JobId id, RankId rankId) {
        var job = tables.job(id);
        var rank = tables.rank(id, rankId);
        if (job == null || rank == null || !job.state().isUp()) {
            return;
        }
        if (!rank.is(InPlace.ASKED)) {
            // Its containers have started again: the plan must not ask for it once more.
            jobs.gather(job, Job.Due.PLAN_AND_STATUS);
        } else if (rank.sight().over()) {
            makeAgain(job, rank, "its pod ended instead");
        }
    }

    /** Whoever was asked has given it up: waiting longer cannot help. */
    public void failed(JobId id, PodMark mark, String message) {
        var job = tables.job(id);
        var rank = tables.rank(id, mark.rank());
        if (job != null && rank != null && job.state().isUp() && isOfRequest(rank, mark)) {
            makeAgain(job, rank, "that was given up" + (message.isEmpty() ? "" : ": " + message));
        }
    }

    /** Whether the newest that was asked for is meant, and is awaited still. */
    private static boolean isOfRequest(Rank rank, PodMark mark) {
        return rank.is(InPlace.ASKED)
                && !rank.isLeaving()
                && rank.making().attempt() == mark.attempt()
                && rank.making().inPlace() == mark.incarnation()
                && mark.podUid().equals(rank.sight().podUid());
    }

    /** What was asked for and was not seen by now has failed. */
    public void passed(Job job) {
        if (!job.state().isUp() || Blindness.putsOff(tables, Alarm.Kind.IN_PLACE, job.id())) {
            return;
        }
        var late = asked(job).filter(this::isLate).toList();
        for (var rank : late.stream().limit(AT_ONCE).toList()) {
            var now = tables.current(job);
            if (now.state().isUp()) {
                makeAgain(now, rank, "that was not seen in time");
            }
        }
        asked(tables.current(job))
                .map(this::due)
                .min(Comparator.naturalOrder())
                .ifPresent(at -> tables.wakings.at(Alarm.Kind.IN_PLACE, job.id(), at));
    }

    /** None of a job that is not up. */
    private Stream<Rank> asked(Job job) {
        return job.state().isUp()
                ? tables.gang(job).in(RankState.ORDERED).stream()
                        .filter(rank -> rank.is(InPlace.ASKED))
                : Stream.of();
    }

    private boolean isLate(Rank rank) {
        return !due(rank).isAfter(tables.now());
    }

    /** Each has its own time, whoever is asked after it. */
    private Instant due(Rank rank) {
        var by = rank.making().inPlaceBy();
        return by == null ? tables.now() : by;
    }

    private void makeAgain(Job job, Rank rank, String why) {
        var sight = rank.sight();
        var message = message(rank.id(), why);
        tables.put(rank.with(sight.returning(null, null, null)));
        var told = job.nextSeq();
        tables.put(told);
        journal.publish(Effect.RankEnded.of(told, rank, null, FAILED, message));
        if (isWithAll(job, rank)) {
            giveUp(told, message);
            return;
        }
        jobs.checkpoints().broken(told); // Who is left can hardly save.
        var now = tables.current(told);
        if (now.state().isUp()) {
            tables.wakings.at(Alarm.Kind.REMAKE, job.id(), tables.now());
            jobs.gather(now, Job.Due.STATUS);
        }
    }
}
