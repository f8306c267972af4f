package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.jobs.ElasticEnd;
import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Ranks that return, each once its delay is over, as {@link Restarts} does it; others go on. */
final class Remakes {
    private final Tables tables;
    private final Jobs jobs;

    Remakes(Tables tables, Jobs jobs) {
        this.tables = tables;
        this.jobs = jobs;
    }

    /** Their pods are made again. */
    void pods(Job job, List<Rank> ranks, Instant until) {
        for (var rank : ranks) {
            put(rank, null, until);
        }
        at(job, until);
    }

    /**
     * The pods of all ranks of the roles of which one failed; of a role that has begun to end only
     * what failed, since others of it may still finish.
     */
    void roles(Job job, List<Rank> failed, Instant until) {
        var roles = new TreeSet<String>();
        var ranks = new ArrayList<Rank>();
        for (var rank : failed) {
            var role = rank.id().role();
            if (ElasticEnd.isOn(tables, job, role)) {
                ranks.add(rank);
            } else if (roles.add(role)) {
                ranks.addAll(tables.gang(job).members(role));
            }
        }
        pods(job, ranks, until);
    }

    /** They start again in their pods. */
    void inPods(Job job, List<Rank> ranks, Instant until) {
        for (var rank : ranks) {
            boolean isDone = rank.is(InPlace.DONE);
            put(rank, isDone ? InPlace.DONE : InPlace.WANTED, until);
        }
        at(job, until);
    }

    private void put(Rank rank, @Nullable InPlace inPlace, Instant until) {
        var s = rank.sight();
        tables.put(rank.with(s.returning(until, s.failure(), inPlace)));
    }

    /** It is woken then, or before that for others. */
    static void wake(Tables tables, JobId id, Instant at) {
        tables.wakings.notLater(Alarm.Kind.REMAKE, id, at);
    }

    private void at(Job job, Instant until) {
        wake(tables, job.id(), until);
        jobs.gather(job, Job.Due.PLAN_AND_STATUS);
    }
}
