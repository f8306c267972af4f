package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A running job whose minimum does not run any more: why, and what is done before it gives its room
 * back.
 */
public final class Recovery {
    /** More pods than these that are late at once are no fault of their nodes. */
    private static final int MOST_MOVED_AT_ONCE = 16;

    private final Tables tables;
    private final Relocation relocation;

    public Recovery(Tables tables, Relocation relocation) {
        this.tables = tables;
        this.relocation = relocation;
    }

    /**
     * Until when what failed waits for its verdict or its delay; null: nothing does.
     *
     * @param awaited whose it is that the job's time to run waits for
     */
    public @Nullable Instant pauses(Job job, Predicate<Rank> awaited) {
        boolean isJudged = tables.gang(job).casualties().all().stream().noneMatch(awaited);
        return Stream.of(
                        isJudged ? null : tables.wakings.of(Alarm.Kind.SETTLE, job.id()),
                        isJudged ? null : tables.wakings.of(Alarm.Kind.NODE_SETTLE, job.id()),
                        delayed(job, awaited))
                .filter(Objects::nonNull)
                .max(Instant::compareTo)
                .orElse(null);
    }

    /** Until when the last delay of theirs goes on, or now if it has just ended. */
    private @Nullable Instant delayed(Job job, Predicate<Rank> awaited) {
        var returning = tables.gang(job).returning();
        var delayed = returning.delayed(tables.now()).filter(awaited).toList();
        if (!delayed.isEmpty()) {
            return delayed.getLast().sight().due();
        }
        var woken = tables.wakings.of(Alarm.Kind.REMAKE, job.id());
        boolean isDue = woken != null && !woken.isAfter(tables.now());
        return isDue && returning.due(tables.now()).stream().anyMatch(awaited) ? woken : null;
    }

    /**
     * Pods that came to a node and do not run there go to another, each of them once.
     *
     * @param awaited as at {@link #pauses}; the others come by themselves once these run
     * @return whether any does; none where it would not be enough
     */
    public boolean elsewhere(Job job, Running running, Predicate<Rank> awaited) {
        var late = late(tables, job, running);
        var first = meetingPoint(job, late);
        late.removeIf(rank -> first != null && comesWith(job, rank, first));
        if (late.isEmpty()
                || late.size() > MOST_MOVED_AT_ONCE
                || tables.settings().spec().backing().choosesNodes()
                || Dependents.free(tables, job, tables.gang(job).returning().all()).stream()
                        .filter(rank -> clock(running).contains(rank.id().role()))
                        .anyMatch(rank -> awaited.test(rank) || !Dependents.hasRoom(tables, rank))
                || !late.stream().allMatch(this::mayMove)) {
            return false;
        }
        if (first != null && !relocation.moved(tables.current(job), first)) {
            return false;
        }
        boolean any = first != null;
        for (var rank : late) {
            any |= rank != first && relocation.moved(tables.current(job), rank);
        }
        return any;
    }

    /**
     * Once, and not from a node that may be dead: it could not be made elsewhere before what is
     * left there is gone or forced.
     */
    private boolean mayMove(Rank rank) {
        return rank.state() == RankState.PENDING
                && rank.making().avoided().isEmpty()
                && !DeadNodes.isUnheardOf(tables, rank);
    }

    /** It may not go itself, and needs not: it comes where it is once that one runs. */
    private boolean comesWith(Job job, Rank rank, Rank first) {
        return rank != first
                && !mayMove(rank)
                && first.equals(Meeting.first(tables, job, rank.id().role()))
                && Dependents.hasRoom(tables, rank)
                && !DeadNodes.isUnheardOf(tables, rank);
    }

    /** Of an elastic job: the others have their time anew once it runs. */
    private static @Nullable Rank meetingPoint(Job job, List<Rank> late) {
        return job.spec().work().elastic() == null
                ? null
                : late.stream()
                        .filter(rank -> job.spec().isMeetingPoint(rank.id()))
                        .findFirst()
                        .orElse(null);
    }

    /** Why a job that ran does not; null: it does, or nothing is known. */
    static @Nullable WaitReason reason(Tables tables, Job job) {
        if (!(job.state() instanceof Running running)
                || running.clock() == null
                || running.waits() != null) {
            return null;
        }
        var late = late(tables, job, running);
        return late.isEmpty() ? null : reason(late, running.clock().since());
    }

    private static WaitReason reason(List<Rank> late, Instant since) {
        var rank = late.getFirst();
        int others = late.size() - 1;
        var sight = rank.sight();
        var node = rank.making().node();
        boolean isBound = rank.state() == RankState.PENDING && !sight.unschedulable();
        var why =
                rank.state() == RankState.ORDERED
                        ? "is not there yet"
                        : (isBound ? "does not run yet" : "is not scheduled")
                                + (node.isEmpty() ? "" : " on " + node);
        return WaitReason.told(
                isBound ? Code.CONTAINER_WAITING : Code.NOT_SCHEDULED,
                rank.id().toString(),
                since,
                "that it runs within gang.timeout, or the job goes back to its queue",
                "less than its minimum runs: the pod of %s %s%s"
                        .formatted(
                                rank.id(),
                                why,
                                others == 0 ? "" : ", nor do %d more".formatted(others)));
    }

    /** Of roles that ran and lack some of their minimum, those whose pods are to come. */
    private static List<Rank> late(Tables tables, Job job, Running running) {
        var makeup = tables.makeup(job);
        var late = new ArrayList<Rank>();
        for (var rank : tables.gang(job).members()) {
            var role = rank.id().role();
            boolean ran = !makeup.later().contains(role) || running.arrived().contains(role);
            boolean isToCome =
                    rank.state() == RankState.ORDERED || rank.state() == RankState.PENDING;
            if (ran && isToCome && clock(running).contains(role)) {
                late.add(rank);
            }
        }
        return late;
    }

    private static SortedSet<String> clock(Running running) {
        var clock = running.clock();
        return clock == null ? Collections.emptySortedSet() : clock.roles();
    }
}
