package dev.muster.coordinator.core.sights;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.jobs.PlanHitches;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Event.PlanApplied;
import dev.muster.coordinator.core.model.Event.PlanHindered;
import dev.muster.coordinator.core.model.Event.PlanRefused;
import dev.muster.coordinator.core.model.Event.PodManagerAlive;
import dev.muster.coordinator.core.model.Event.Report;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.Source;
import dev.muster.coordinator.core.nodes.PoolStates;
import dev.muster.coordinator.core.state.Tables;
import java.util.List;

/** What pod-manager says. Only its word on the newest plan counts. */
public final class Reports {
    private final Tables tables;
    private final Jobs jobs;
    private final Pods pods;

    public Reports(Tables tables, Jobs jobs, Pods pods) {
        this.tables = tables;
        this.jobs = jobs;
        this.pods = pods;
    }

    /**
     * @return false when work is left: the same report is to be given again
     */
    public boolean on(Report report) {
        var job = tables.job(report.job());
        if (job == null) {
            return true;
        }
        switch (report) {
            case PlanApplied applied when applied.version() == job.fences().plan() -> {
                return applied(job, applied);
            }
            case PlanRefused(_, var version, var reason, var message)
                    when version == job.fences().plan() -> {
                if (!jobs.scalings().isRefused(job, reason, message)) {
                    jobs.on(job, new JobEvent.PlanRefused(reason, message));
                }
            }
            case PlanHindered hindered -> PlanHitches.told(tables, jobs, job, hindered);
            case PlanApplied _, PlanRefused _ -> {}
        }
        return true;
    }

    private boolean applied(Job job, PlanApplied report) {
        PlanHitches.over(tables, jobs, job);
        if (!pods.listed(tables.current(job), report.pods())) {
            return false;
        }
        if (report.confirm()) {
            confirm(tables.current(job), report);
        } else {
            jobs.podsMayBeGone(job.id());
            jobs.scalings().look(job.id()); // Its launcher has its list.
        }
        return true;
    }

    private void confirm(Job job, PlanApplied report) {
        boolean gone = report.pods().stream().noneMatch(pod -> pod.uid().equals(job.id().uid()));
        jobs.on(job, gone ? new JobEvent.GoneConfirmed() : new JobEvent.GoneDenied());
        if (!gone) {
            tables.wakings.at(Alarm.Kind.REPAIR, job.id(), tables.now().plus(Jobs.REPAIR_INTERVAL));
        }
    }

    public void alive(PodManagerAlive alive) {
        var settings = tables.settings();
        if (!settings.served().equals(List.copyOf(alive.backends()))) {
            tables.startsAreDue();
        }
        var serving = settings.serving(alive.backends(), alive.recreates());
        if (!serving.equals(settings)) {
            tables.put(serving.due(tables.settings().startsDue()));
        }
        if (settings.recreates() != alive.recreates()) {
            PoolStates.tell(tables);
        }
        for (int partition : alive.partitions().stream().sorted().toList()) {
            var known = tables.source(Source.Kind.PLANS, partition);
            if (known != null) {
                tables.put(known.heard(0, tables.now()));
            } else {
                tables.put(
                        Source.first(Source.Kind.PLANS, partition, 0, tables.now())
                                .ends(tables.now()));
            }
        }
    }
}
