package dev.muster.coordinator.core.jobs;

import static java.util.Objects.requireNonNull;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState.Gate;
import dev.muster.coordinator.core.model.JobState.Queued;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.UntoldEnd;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Jobs that come after others. They hear of an end one by one, as work of its own: so any number of
 * them may come after one job or one after the other, and no step grows with that.
 */
public final class Followers {
    /** Of those that a job waits for so many are told by name. */
    private static final int NAMED = 5;

    private final Tables tables;
    private final Jobs jobs;

    Followers(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    /** From now on those that wait for its end are told. */
    void ended(JobId job, Phase phase) {
        if (tables.awaiting.firstFor(job) != null) {
            tables.put(new UntoldEnd(job, phase));
        }
    }

    /**
     * Tells one job of one end.
     *
     * @return false when all have heard of all
     */
    public boolean tellNext() {
        var end = tables.undone.firstUntold();
        if (end == null) {
            return false;
        }
        var next = tables.awaiting.firstFor(end.job());
        if (next == null) {
            tables.remove(end);
        } else {
            hear(requireNonNull(tables.job(next)), end.job(), end.phase());
        }
        return true;
    }

    private void hear(Job waiting, JobId id, Phase phase) {
        var awaited = waiting.past().awaits().stream().filter(a -> a.job().equals(id)).toList();
        boolean failed =
                phase != Phase.SUCCEEDED && awaited.stream().anyMatch(Job.Awaited::succeeded);
        var left = waiting.past().awaits().stream().filter(a -> !a.job().equals(id)).toList();
        var next = waiting.with(waiting.past().awaiting(failed ? List.of() : left));
        tables.put(next);
        if (failed) {
            jobs.on(
                    next,
                    new JobEvent.DependencyFailed("%s ended %s".formatted(id.fullName(), phase)));
        } else if (left.isEmpty()) {
            jobs.on(next, new JobEvent.Cleared());
        } else if (next.state() instanceof Queued(_, Gate.Behind _, _)) {
            jobs.explain(next, waitsFor(left, tables.now()));
        }
    }

    /** Why a job waits that comes after these. */
    public static WaitReason waitsFor(List<Job.Awaited> awaits, Instant now) {
        var names = names(awaits);
        return WaitReason.told(
                WaitReason.Code.WAITING_FOR_DEPENDENCY,
                awaits.getFirst().job().fullName(),
                now,
                "the end of " + names,
                "it waits for " + names);
    }

    private static String names(List<Job.Awaited> awaits) {
        var first =
                awaits.stream()
                        .limit(NAMED)
                        .map(awaited -> awaited.job().fullName())
                        .collect(Collectors.joining(", "));
        int more = awaits.size() - NAMED;
        return more > 0 ? "%s and %d more".formatted(first, more) : first;
    }
}
