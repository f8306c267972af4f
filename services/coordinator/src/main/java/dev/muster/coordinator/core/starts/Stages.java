package dev.muster.coordinator.core.starts;

import dev.muster.coordinator.core.jobs.ElasticEnd;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.Plans;
import dev.muster.coordinator.core.model.Decision.Order;
import dev.muster.coordinator.core.model.Decision.Stay;
import dev.muster.coordinator.core.model.End;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobEvent.OpenRoles;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Tally;
import dev.muster.coordinator.core.state.Blindness;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;

/** What follows for a job when its ranks change: phases, stages, and minima that do not run. */
public final class Stages {
    private final Tables tables;
    private final Jobs jobs;
    private final Plans plans;

    public Stages(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
        this.plans = new Plans(tables, journal);
    }

    /** One event may lead on to the next, as from Starting to success. */
    public void ranksChanged(JobId id) {
        boolean goesOn = true;
        for (var job = tables.job(id);
                goesOn && job != null && job.state().isUp();
                job = tables.job(id)) {
            var tally = tables.gang(job).tally();
            var event = new JobEvent.RanksChanged(tally, roles(job, tally));
            boolean moved = !(jobs.on(job, event) instanceof Stay);
            if (moved && tables.growing.staged.contains(job)) {
                tables.startsAreDue(); // Where its stage is not placed, why is told.
            }
            goesOn = moved || job.state().grows() && open(job, tally);
        }
    }

    private OpenRoles roles(Job job, Tally tally) {
        var makeup = tables.makeup(job);
        if (!(job.state() instanceof JobState.Running)) {
            return OpenRoles.NONE;
        }
        var lacking = new TreeSet<String>();
        var later = new TreeSet<String>();
        for (var role : tally.roles()) {
            boolean isLater = makeup.later().contains(role.role());
            if (isLater && !job.past().opened().contains(role.role())) {
                continue;
            }
            if (ElasticEnd.isOn(tables, job, role.role())) {
                continue; // Nobody comes any more.
            }
            if (role.fine() < makeup.minimum(role.role())) {
                lacking.add(role.role());
            } else if (isLater) {
                later.add(role.role());
            }
        }
        var blind = lacking.isEmpty() ? Duration.ZERO : Blindness.of(tables, job.id());
        return new OpenRoles(lacking, later, blind);
    }

    /**
     * Roles whose dependencies have come far enough are open: the pods that are reserved for them
     * are ordered, and those that come later may be placed.
     *
     * @return whether any was opened
     */
    private boolean open(Job job, Tally tally) {
        var makeup = tables.makeup(job);
        var open = makeup.open(job.past().opened(), tally.byRole());
        if (open.equals(job.past().opened())) {
            return isGivenUp(job, tally);
        }
        boolean isPlaced =
                tables.gang(job).all().stream()
                        .map(rank -> rank.id().role())
                        .anyMatch(
                                role -> open.contains(role) && !job.past().opened().contains(role));
        var opened = job.with(job.past().opening(open));
        tables.put(isPlaced ? plans.carryOut(opened, new Order.Run()) : opened);
        if (isPlaced) {
            var blind = Blindness.of(tables, job.id());
            jobs.on(tables.current(job), new JobEvent.StageOrdered(blind));
        }
        if (open.stream().anyMatch(makeup.later()::contains)) {
            tables.startsAreDue();
        }
        return true;
    }

    /** What a role of it waits for can never be any more. */
    private boolean isGivenUp(Job job, Tally tally) {
        var opened = job.past().opened();
        if (opened.size() == tally.roles().size()) {
            return false;
        }
        var why = tables.makeup(job).blocked(opened, tally.byRole());
        if (why == null) {
            return false;
        }
        var end = End.failed(End.Code.DEPENDENCY_FAILED, why);
        return !(jobs.on(job, new JobEvent.GaveUp(end)) instanceof Stay);
    }

    /** The pods of a stage that came later are placed, and ordered with the next plan. */
    public void placed(JobId id) {
        var job = tables.job(id);
        if (job != null && job.state() instanceof JobState.Running) {
            jobs.on(job, new JobEvent.StageOrdered(Blindness.of(tables, id)));
        }
    }

    /** What failed before the gang ran may be made again, or is: its time begins anew. */
    public void startAgain(JobId id) {
        var job = tables.job(id);
        if (job != null
                && job.state() instanceof JobState.Starting starting
                && starting.ordered().isBefore(tables.now())) {
            jobs.on(job, new JobEvent.StageOrdered(Blindness.of(tables, id)));
        }
    }

    /** Where others meet somebody runs: until then they could not, and their time begins anew. */
    public void meets(Job job, RankId met) {
        if (job.spec().work().elastic() != null && job.spec().isMeetingPoint(met)) {
            var roles = new TreeSet<String>();
            job.spec().roles().forEach(role -> roles.add(role.name()));
            again(job.id(), roles);
        }
    }

    /** Pods of these roles are made again: if their minima do not run, their time begins anew. */
    public void again(JobId id, SortedSet<String> again) {
        var job = tables.job(id);
        if (job != null
                && job.state() instanceof JobState.Running running
                && running.clock() != null
                && running.clock().roles().stream().anyMatch(again::contains)) {
            placed(id);
            if (tables.growing.staged.contains(job)) {
                tables.startsAreDue(); // Where a stage is not placed, why is told again.
            }
        }
    }
}
