package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.OfJob;
import dev.muster.coordinator.core.model.Alarm.Subject.Owned;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Source;
import java.time.Duration;
import java.time.Instant;

/**
 * How long those who would see a job run have seen nothing. A deadline that rests on not having
 * seen something is put off by as much.
 *
 * <p>The sum over all watcher shards and the job's pod-manager: where several are silent at once,
 * the deadline waits longer than it must, never shorter.
 */
public final class Blindness {
    private Blindness() {}

    public static Duration of(Tables tables, JobId job) {
        var blind = Duration.ZERO;
        for (var source : tables.sources()) {
            if (isWitness(source, job)) {
                blind = blind.plus(source.blindUntil(tables.now()));
            }
        }
        return blind;
    }

    /** One of them is silent now, or has not yet told what it missed. */
    public static boolean now(Tables tables, JobId job) {
        Instant now = tables.now();
        return tables.sources().stream()
                .anyMatch(source -> isWitness(source, job) && source.isBlind(now));
    }

    /**
     * What a job, or something of it, is woken for rests on not having seen something, and is
     * looked at again later.
     *
     * @return false: it may be judged
     */
    public static boolean putsOff(Tables tables, Alarm.Kind kind, JobId job) {
        return putsOff(tables, kind, new OfJob(job));
    }

    public static boolean putsOff(Tables tables, Alarm.Kind kind, Owned owned) {
        boolean isBlind = now(tables, owned.job());
        if (isBlind) {
            tables.wakings.at(kind, owned, tables.now().plus(Alarm.RETRY_INTERVAL));
        }
        return isBlind;
    }

    /**
     * The same where it may be judged from some time on, and stands still while nobody looks.
     *
     * @param blindBefore how long they had been blind when that time began
     */
    public static boolean putsOff(
            Tables tables, Alarm.Kind kind, JobId job, Instant until, Duration blindBefore) {
        var deadline = until.plus(of(tables, job).minus(blindBefore));
        boolean isTooEarly = now(tables, job) || tables.now().isBefore(deadline);
        if (isTooEarly) {
            tables.wakings.at(kind, job, Alarm.again(deadline, tables.now()));
        }
        return isTooEarly;
    }

    private static boolean isWitness(Source source, JobId job) {
        return source.kind() == Source.Kind.WATCHER || source.number() == job.uid().partition();
    }
}
