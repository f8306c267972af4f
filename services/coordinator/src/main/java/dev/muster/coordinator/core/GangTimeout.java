package dev.muster.coordinator.core;

import dev.muster.coordinator.core.failures.Restarts;
import dev.muster.coordinator.core.jobs.Hindrances;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.Plans;
import dev.muster.coordinator.core.jobs.Recovery;
import dev.muster.coordinator.core.jobs.StartupProblems;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OfRank;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.JobState.StageClock;
import dev.muster.coordinator.core.model.JobState.Starting;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Words;
import dev.muster.coordinator.core.sights.Pods;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.Collections;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a gang whose minimum does not run within {@code gang.timeout}: it waits on, goes
 * on elsewhere, fails by what hinders it, or gives its room back.
 */
final class GangTimeout {
    private final Tables tables;
    private final Jobs jobs;
    private final Pods pods;
    private final Restarts restarts;
    private final Recovery recovery;

    GangTimeout(Tables tables, Jobs jobs, Pods pods, Restarts restarts, Recovery recovery) {
        this.tables = tables;
        this.jobs = jobs;
        this.pods = pods;
        this.restarts = restarts;
        this.recovery = recovery;
    }

    /** The time is over in which its minimum was to run. */
    void passed(Job job) {
        var clock = clock(job);
        if (clock == null) {
            return;
        }
        var timeout = job.spec().gang().timeout();
        if (job.state() instanceof Running && !hasRoom(job)) {
            // Its stage waits for room and takes nothing from others meanwhile.
            again(job, tables.now().plus(timeout));
            return;
        }
        Predicate<Rank> awaited = rank -> isAwaited(job, clock, rank);
        var pauses = recovery.pauses(job, awaited);
        if (pauses != null) {
            again(job, pauses);
            return;
        }
        var deadline = clock.since().plus(timeout);
        if (Blindness.putsOff(
                tables, Alarm.Kind.GANG_TIMEOUT, job.id(), deadline, clock.blindBefore())) {
            return;
        }
        var hindered = Hindrances.forGood(tables, job);
        if (hindered != null) {
            // Another try would wait for the same image.
            pods.hindered(OfRank.of(hindered));
            goesOn(job);
            return;
        }
        if (job.state() instanceof Running running && recovery.elsewhere(job, running, awaited)) {
            goesOn(job);
            return;
        }
        jobs.on(job, new JobEvent.GangTimedOut(late(job, clock)));
    }

    /** Where its pods are to go on elsewhere, its gang has the same time once more. */
    private void goesOn(Job job) {
        var blind = Blindness.of(tables, job.id());
        jobs.on(tables.current(job), new JobEvent.StageOrdered(blind));
        if (tables.growing.staged.contains(job)) {
            tables.startsAreDue(); // Its other stage says again what it waits for.
        }
    }

    private static @Nullable StageClock clock(Job job) {
        if (job.state() instanceof Starting(_, var ordered, var blindBefore, _, _)) {
            return new StageClock(Collections.emptySortedSet(), ordered, blindBefore, null);
        }
        return job.state() instanceof Running(_, _, var clock, _) ? clock : null;
    }

    /** A failed rank is waited for if its failure is charged: one that is not may fail for ever. */
    private boolean isAwaited(Job job, StageClock clock, Rank failed) {
        boolean isOfIt = clock.roles().isEmpty() || clock.roles().contains(failed.id().role());
        return isOfIt && !restarts.hasFallen(job, failed);
    }

    private boolean hasRoom(Job job) {
        return tables.gang(job).all().stream().anyMatch(rank -> !rank.sight().released());
    }

    private String late(Job job, StageClock clock) {
        var roles = String.join(", ", clock.roles());
        int running = 0;
        int desired = 0;
        for (var role : tables.gang(job).tally().roles()) {
            if (roles.isEmpty() || clock.roles().contains(role.role())) {
                running += role.running();
                desired += role.desired();
            }
        }
        var why = StartupProblems.of(tables, job);
        return "%d of %d pods%s ran within %s%s"
                .formatted(
                        running,
                        desired,
                        roles.isEmpty() ? "" : " of " + roles,
                        Words.of(job.spec().gang().timeout()),
                        why == null ? unapplied(job) : "; " + why.message());
    }

    /** Pod-manager alone knows why, and did not say it. */
    private static String unapplied(Job job) {
        return job.state() instanceof Starting && !Plans.isApplied(job)
                ? "; its plan is not carried out: why is in pod-manager's log"
                : "";
    }

    private void again(Job job, Instant at) {
        tables.wakings.at(Alarm.Kind.GANG_TIMEOUT, job.id(), Alarm.again(at, tables.now()));
    }
}
