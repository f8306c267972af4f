package dev.muster.coordinator.core.failures;

import dev.muster.coordinator.core.jobs.Jobs;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.InPlace;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.state.Tables;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Ranks that return once a delay is over, as {@link Restarts} does it then; others go on. */
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
            put(rank, null);
        }
        at(job, until);
    }

    /** The pods of all ranks of the roles of which one failed. */
    void roles(Job job, List<Rank> failed, Instant until) {
        var roles = new TreeSet<String>();
        failed.forEach(rank -> roles.add(rank.id().role()));
        var ranks =
                tables.gang(job).members().stream()
                        .filter(rank -> roles.contains(rank.id().role()))
                        .toList();
        pods(job, ranks, until);
    }

    /** They start again in their pods. */
    void inPods(Job job, List<Rank> ranks, Instant until) {
        for (var rank : ranks) {
            boolean isDone = rank.is(InPlace.DONE);
            put(rank, isDone ? InPlace.DONE : InPlace.WANTED);
        }
        at(job, until);
    }

    private void put(Rank rank, @Nullable InPlace inPlace) {
        var s = rank.sight();
        tables.put(rank.with(s.judged(RankState.RETURNING, s.released(), s.failure(), inPlace)));
    }

    /** An earlier time that is set already stays. */
    private void at(Job job, Instant until) {
        var subject = job.id().toString();
        var set = tables.alarms.get(Alarm.Kind.REMAKE, subject);
        tables.alarm(
                Alarm.Kind.REMAKE,
                subject,
                set != null && set.at().isBefore(until) ? set.at() : until);
        jobs.gather(tables.current(job), new Job.Due(true, true));
    }
}
