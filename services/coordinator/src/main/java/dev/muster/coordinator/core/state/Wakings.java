package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject;
import dev.muster.coordinator.core.model.Alarm.Subject.OfJob;
import dev.muster.coordinator.core.model.JobId;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What a pool is to be woken for, and when: of one kind and subject there is one time. */
public final class Wakings {
    private final Tables tables;

    Wakings(Tables tables) {
        this.tables = tables;
    }

    /** Then, whatever was set before. */
    public void at(Alarm.Kind kind, Subject subject, Instant at) {
        tables.put(new Alarm(kind, subject, at));
    }

    public void at(Alarm.Kind kind, JobId job, Instant at) {
        at(kind, new OfJob(job), at);
    }

    /** Unless a time is set already. */
    public void once(Alarm.Kind kind, Subject subject, Instant at) {
        if (!isSet(kind, subject)) {
            at(kind, subject, at);
        }
    }

    public void once(Alarm.Kind kind, JobId job, Instant at) {
        once(kind, new OfJob(job), at);
    }

    /** Unless a time is set that comes by then. */
    public void notLater(Alarm.Kind kind, Subject subject, Instant at) {
        var set = of(kind, subject);
        if (set == null || set.isAfter(at)) {
            at(kind, subject, at);
        }
    }

    public void notLater(Alarm.Kind kind, JobId job, Instant at) {
        notLater(kind, new OfJob(job), at);
    }

    /** Not any more, if it was. */
    public void none(Alarm.Kind kind, Subject subject) {
        var set = tables.alarms.get(kind, subject.text());
        if (set != null) {
            tables.remove(set);
        }
    }

    public void none(Alarm.Kind kind, JobId job) {
        none(kind, new OfJob(job));
    }

    /** For none of these any more. */
    public void none(Collection<Alarm.Kind> kinds, JobId job) {
        if (tables.alarms.hasNone(job.toString())) {
            return; // As of most jobs that wait.
        }
        kinds.forEach(kind -> none(kind, job));
    }

    /** Null: no time is set. */
    public @Nullable Instant of(Alarm.Kind kind, Subject subject) {
        var set = tables.alarms.get(kind, subject.text());
        return set == null ? null : set.at();
    }

    public @Nullable Instant of(Alarm.Kind kind, JobId job) {
        return of(kind, new OfJob(job));
    }

    public boolean isSet(Alarm.Kind kind, Subject subject) {
        return of(kind, subject) != null;
    }

    public boolean isSet(Alarm.Kind kind, JobId job) {
        return isSet(kind, new OfJob(job));
    }
}
