package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Exclusions;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.state.Tables;
import java.util.Collections;
import java.util.SortedSet;

/** Which nodes a job's next pods stay away from, since it failed there. */
public final class Avoidance {
    private final Tables tables;
    private final Jobs jobs;

    public Avoidance(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    /** The job avoids these nodes too, and no more those of which the evidence has faded. */
    public Job avoid(Job job, SortedSet<String> nodes) {
        return avoid(job, job.past().exclusions().at(tables.now()).failed(nodes, tables.now()));
    }

    private Job avoid(Job job, Exclusions exclusions) {
        return avoid(tables, job, exclusions);
    }

    /** It has succeeded: whatever it held against nodes was not in its way. */
    static Job lifted(Tables tables, Job job) {
        return avoid(tables, job, Exclusions.NONE);
    }

    private static Job avoid(Tables tables, Job job, Exclusions exclusions) {
        if (exclusions.equals(job.past().exclusions())) {
            return job;
        }
        var next = exclusions.next();
        if (next != null) {
            tables.wakings.at(Alarm.Kind.EXCLUSION, job.id(), next);
        } else {
            tables.wakings.none(Alarm.Kind.EXCLUSION, job.id());
        }
        var work = job.spec().work().avoiding(exclusions.nodes());
        return job.with(job.past().avoiding(exclusions)).with(job.spec().with(work));
    }

    /** Evidence against a node of it has faded. */
    public void exclusionFaded(Job job) {
        changed(job, avoid(job, Collections.emptySortedSet()));
    }

    /** Nothing is held against these nodes any more. */
    public void include(Job job, SortedSet<String> nodes) {
        if (!nodes.isEmpty()) {
            changed(job, avoid(job, job.past().exclusions().without(nodes)));
        }
    }

    private void changed(Job job, Job next) {
        tables.put(next);
        jobs.publishStatus(tables.current(job));
        tables.startsAreDue();
    }
}
