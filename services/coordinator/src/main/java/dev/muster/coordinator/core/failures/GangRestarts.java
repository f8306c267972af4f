package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.jobs.Forgetting;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobEvent;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.placement.Extra;
import dev.muster.coordinator.core.starts.Starts;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Quotas;
import dev.muster.coordinator.core.state.Quotas.By;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Makes a whole gang anew that failed, once nothing is left of it. It keeps the room that it had,
 * and comes before everybody else's claim, the pool's hold included.
 */
public final class GangRestarts {
    private final Tables tables;
    private final Jobs jobs;
    private final Quotas quotas;
    private final Eligibility eligibility;
    private final Starts starts;
    private final ReturnPlaces places;

    public GangRestarts(Tables tables, Journal journal, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
        this.quotas = tables.quotas;
        this.eligibility = tables.eligibility;
        this.starts = new Starts(tables, journal, jobs);
        this.places = new ReturnPlaces(tables);
    }

    /**
     * The delay of a gang that is gone is over: it starts again, or waits where its room is lost.
     */
    public void again(Job job) {
        if (!(job.state() instanceof JobState.Restarting restarting)
                || restarting.clearing() != JobState.Clearing.DONE) {
            return;
        }
        var whole = whole(job);
        Forgetting.ranks(tables, job);
        // As one that waits: it has waited for its lost node, and gave its place up for that.
        if (restarting.wasLost() && !eligibility.mayStart(job)) {
            jobs.on(tables.current(job), new JobEvent.RoomLost(restarting.message()));
            return;
        }
        var by = restarting.wasLost() ? By.LOST_JOB : By.RETURNING_JOB;
        var fit = fit(job, whole, by);
        if (fit == null) {
            fit = fit(job, tables.makeup(job).start(), by);
        }
        if (fit == null) {
            jobs.on(tables.current(job), new JobEvent.RoomLost(restarting.message()));
        } else {
            starts.startAgain(tables.current(job), fit);
        }
    }

    private @Nullable Placed fit(Job job, Shape shape, By by) {
        var queue = tables.queue(job.spec().queue());
        if (queue == null) {
            return null;
        }
        var use = tables.makeup(job).use(shape);
        var claim = new Quotas.Claim(queue, job.id().namespace(), use, by);
        return quotas.check(claim) == null ? places.placed(shape, Extra.NONE) : null;
    }

    /** As large as it was. */
    private Shape whole(Job job) {
        var makeup = tables.makeup(job);
        var gang = tables.gang(job);
        var parts = new ArrayList<Shape.Part>();
        for (var role : job.spec().roles()) {
            if (!makeup.later().contains(role.name())) {
                int there = Math.min(role.replicas(), gang.count(role.name()));
                int pods = Math.max(makeup.minimum(role.name()), there);
                parts.addAll(makeup.first(role, pods, tables.settings().spec().spot()));
            }
        }
        return new Shape(parts, job.spec().gang().topology());
    }
}
