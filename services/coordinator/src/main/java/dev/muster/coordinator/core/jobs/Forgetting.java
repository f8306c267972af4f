package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.state.Ends;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.time.Duration;
import java.util.List;

/** What is remembered no more of a job: the room of its ranks, the ranks, and then all of it. */
public final class Forgetting {
    /** Status and plan of an ended job stay for so long. */
    private static final Duration STATUS_RETENTION = Duration.ofDays(30);

    /** What an ended job may still be woken for. */
    private static final List<Alarm.Kind> OF_ITS_END =
            List.of(Alarm.Kind.GATHER, Alarm.Kind.REPAIR, Alarm.Kind.TTL, Alarm.Kind.EXCLUSION);

    private Forgetting() {}

    /** What was kept for the next making of ranks that are over is free. */
    static void room(Tables tables, Job job) {
        for (var rank : tables.gang(job).all()) {
            var sight = rank.sight();
            if (sight.over() && !sight.released()) {
                tables.put(rank.with(sight.judged(rank.state(), true, sight.failure())));
                tables.startsAreDue();
            }
        }
    }

    /** Nothing of its ranks is remembered, nothing of a node is theirs. */
    public static void ranks(Tables tables, Job job) {
        for (var rank : tables.gang(job).all()) {
            JobAlarms.noHindrance(tables, rank);
            tables.remove(rank);
            if (!rank.sight().released()) {
                tables.startsAreDue();
            }
        }
    }

    /** It has ended and nothing of it is left; only that it was is known for a while. */
    static void all(Tables tables, Journal journal, Job job) {
        ranks(tables, job);
        tables.wakings.none(OF_ITS_END, job.id());
        var throughput = tables.throughputs.get(job.id());
        if (throughput != null) {
            tables.remove(throughput);
        }
        tables.remove(job);
        journal.publish(new Effect.DropSpec(job.id()));
        var finished = job.times().finished();
        var ended = finished == null ? tables.now() : finished;
        tables.wakings.at(Alarm.Kind.FORGET, job.id(), ended.plus(STATUS_RETENTION));
        Ends.remember(tables, job, ended);
    }
}
