package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.life.DeadlinePeriod;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OfRank;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.JobState.Ended;
import dev.muster.coordinator.core.model.JobState.Gate;
import dev.muster.coordinator.core.model.JobState.Queued;
import dev.muster.coordinator.core.model.JobState.Starting;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Remains;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a job is to be woken for where it stands. */
public final class JobAlarms {
    private static final List<Alarm.Kind> OF_A_STATE =
            List.of(
                    Alarm.Kind.GANG_TIMEOUT,
                    Alarm.Kind.BACKOFF,
                    Alarm.Kind.TTL,
                    Alarm.Kind.SETTLE,
                    Alarm.Kind.NODE_SETTLE,
                    Alarm.Kind.RESTARTS,
                    Alarm.Kind.REMAKE,
                    Alarm.Kind.ROOM,
                    Alarm.Kind.IN_PLACE,
                    Alarm.Kind.DRAIN,
                    Alarm.Kind.LEFT,
                    Alarm.Kind.GOING);

    /**
     * While a job saves: who leaves, leaves, whose failure may be ignored is judged, what its
     * kubelets restarted is charged, and who is to start again in his pod is awaited no longer than
     * before.
     */
    private static final List<Alarm.Kind> GOES_ON =
            List.of(
                    Alarm.Kind.DRAIN,
                    Alarm.Kind.LEFT,
                    Alarm.Kind.SETTLE,
                    Alarm.Kind.NODE_SETTLE,
                    Alarm.Kind.RESTARTS,
                    Alarm.Kind.IN_PLACE);

    /** Beyond its grace a pod may take so long to be gone. */
    static final Duration TO_GO = Duration.ofSeconds(60);

    private final Tables tables;

    JobAlarms(Tables tables) {
        this.tables = tables;
    }

    /** It came to where it is now. */
    void set(Job job) {
        var id = job.id();
        var grace = grace(tables, job);
        if (grace == null) {
            tables.wakings.none(Alarm.Kind.STUCK, id);
        } else {
            // Whoever asks later may give less time, and never more.
            tables.wakings.notLater(Alarm.Kind.STUCK, id, tables.now().plus(grace).plus(TO_GO));
        }
        for (var stretch : DeadlinePeriod.values()) {
            var end = stretch.end(job);
            if (end == null) {
                tables.wakings.none(stretch.alarm(), id);
            } else {
                tables.wakings.once(stretch.alarm(), id, end);
            }
        }
        switch (job.state()) {
            case Starting starting -> gangMustRun(job, starting.ordered());
            case Queued(_, Gate.Later(var until), _) -> {
                tables.wakings.none(OF_A_STATE, id);
                tables.wakings.at(Alarm.Kind.BACKOFF, id, until);
            }
            case Ended(_, var remains) when remains == Remains.KEPT -> {
                tables.wakings.none(OF_A_STATE, id);
                var ttl = job.spec().ttl();
                if (ttl != null) {
                    tables.wakings.at(Alarm.Kind.TTL, id, tables.now().plus(ttl));
                }
            }
            case JobState.Restarting(_, var until, _, _, var clearing, _)
                    when clearing == JobState.Clearing.DONE ->
                    tables.wakings.at(Alarm.Kind.BACKOFF, id, until);
            case JobState.Running(_, _, var clock, _) -> {
                tables.wakings.none(Alarm.Kind.BACKOFF, id);
                if (clock == null) {
                    tables.wakings.none(Alarm.Kind.GANG_TIMEOUT, id);
                } else {
                    gangMustRun(job, clock.since());
                }
            }
            case Queued _, JobState.Suspended _ -> tables.wakings.none(OF_A_STATE, id);
            case JobState.Saving _ ->
                    tables.wakings.none(
                            OF_A_STATE.stream().filter(kind -> !GOES_ON.contains(kind)).toList(),
                            id);
            case JobState.Stopping _ -> tables.wakings.none(OF_A_STATE, id);
            case JobState.Restarting _, JobState.Lost _ -> tables.wakings.none(OF_A_STATE, id);
            case Ended _, JobState.Absent _ -> tables.wakings.none(OF_A_STATE, id);
        }
    }

    /** No failure of it is to be judged any more: the next one has the whole time to settle. */
    public static void noVerdict(Tables tables, JobId job) {
        tables.wakings.none(List.of(Alarm.Kind.SETTLE, Alarm.Kind.NODE_SETTLE), job);
    }

    /**
     * What keeps the pod of this rank from running is looked at no more: it is made again, or its
     * rank leaves or is forgotten.
     */
    public static void noHindrance(Tables tables, Rank rank) {
        var subject = OfRank.of(rank);
        tables.wakings.none(Alarm.Kind.PLACE_AGAIN, subject);
        tables.wakings.none(Alarm.Kind.HINDERED, subject);
    }

    /** A node of it is heard of again: what is there goes from now on, as far as it is to go. */
    static void heard(Tables tables, Job job) {
        // What it has there was told to go before it was known to be lost.
        var grace = job.state() instanceof JobState.Lost ? job.spec().grace() : grace(tables, job);
        if (grace != null) {
            var at = tables.now().plus(grace).plus(TO_GO);
            tables.wakings.at(Alarm.Kind.STUCK, job.id(), at);
        }
    }

    /** What its pods have that are told to go; null: they are not, or are gone. */
    private static @Nullable Duration grace(Tables tables, Job job) {
        return switch (job.state()) {
            case JobState.Stopping(_, var confirming, var told, _) ->
                    confirming ? null : told == null ? job.spec().grace() : told;
            case JobState.Restarting(_, _, _, _, var clearing, _) ->
                    clearing == JobState.Clearing.LEAVING ? job.spec().grace() : null;
            case Ended(_, var remains) ->
                    remains != Remains.CONFIRMING
                                    && tables.gang(job).left().stream().anyMatch(job::isToGo)
                            ? job.spec().grace()
                            : null;
            case JobState.Absent _, Queued _, JobState.Suspended _, JobState.Lost _ -> null;
            case Starting _, JobState.Running _, JobState.Saving _ -> null;
        };
    }

    private void gangMustRun(Job job, Instant since) {
        var until = since.plus(job.spec().gang().timeout());
        tables.wakings.at(Alarm.Kind.GANG_TIMEOUT, job.id(), until);
    }
}
