package dev.muster.coordinator.history.explain;

import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Alarm.Subject.Named;
import dev.muster.coordinator.core.model.Alarm.Subject.OfJob;
import dev.muster.coordinator.core.model.Alarm.Subject.Owned;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.history.replay.PoolCopy;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The deadlines that a pool had set when its time passed: which of them that time came to, in
 * words.
 *
 * @param alarms in the order in which they come due
 */
record DueAlarms(List<Alarm> alarms) {
    /** They only publish or forget: nothing can start for them. */
    private static final Set<Alarm.Kind> STARTS_NOTHING =
            EnumSet.of(
                    Alarm.Kind.GATHER,
                    Alarm.Kind.TTL,
                    Alarm.Kind.ENDED,
                    Alarm.Kind.FORGET,
                    Alarm.Kind.REPAIR,
                    Alarm.Kind.POOL,
                    Alarm.Kind.QUEUE,
                    Alarm.Kind.STUCK,
                    Alarm.Kind.LEFT);

    DueAlarms {
        alarms =
                alarms.stream()
                        .filter(alarm -> !STARTS_NOTHING.contains(alarm.kind()))
                        .sorted(
                                Comparator.comparing(Alarm::at)
                                        .thenComparing(Alarm::kind)
                                        .thenComparing(Alarm::subject))
                        .toList();
    }

    /** What the copy's pool has set now. */
    static DueAlarms of(PoolCopy copy) {
        return new DueAlarms(
                copy.rows()
                        .filter(row -> row instanceof Alarm)
                        .map((Row row) -> (Alarm) row)
                        .toList());
    }

    /** Why the time that came to {@code until} could start the job. */
    String cause(Instant until, JobId job) {
        var due = alarms.stream().filter(alarm -> !alarm.at().isAfter(until)).toList();
        return due.stream()
                .filter(alarm -> alarm.about().equals(new OfJob(job)))
                .findFirst()
                .or(() -> due.stream().findFirst())
                .map(alarm -> words(alarm, job))
                .orElse("more was to be decided than one step takes, and the next one went on");
    }

    private static String name(Alarm alarm) {
        return switch (alarm.about()) {
            case Owned owned -> owned.job().fullName();
            case Named(var name) -> name;
        };
    }

    private static String words(Alarm alarm, JobId job) {
        boolean isIts = alarm.about().equals(new OfJob(job));
        var whose = isIts ? "its" : "the";
        var of = isIts ? "" : " of " + name(alarm);
        return switch (alarm.kind()) {
            case BACKOFF -> whose + " back-off" + of + " was over";
            case GANG_TIMEOUT -> "the time that the gang" + of + " had to run was over";
            case RESERVE ->
                    alarm.about().equals(Named.POOL)
                            ? "a head had waited so long that room was kept for it"
                            : "it was looked again who could make room in the quotas of a queue";
            case SETTLE, NODE_SETTLE, RESTARTS -> "the first failures" + of + " had settled";
            case RUN_DEADLINE, QUEUE_DEADLINE, START_DEADLINE ->
                    "a deadline%s had come".formatted(of);
            case NODE_LOST -> "a node was silent for too long";
            case NODE_HEALTH, EXCLUSION -> "what was held against a node had faded";
            case DRAIN -> "the time to drain" + of + " was over";
            case CHECKPOINT -> "the time to save" + of + " was over";
            case GATHER,
                    TTL,
                    ENDED,
                    FORGET,
                    REMAKE,
                    ROOM,
                    IN_PLACE,
                    HINDERED,
                    SCALE_DEADLINE,
                    GOING,
                    HOOK,
                    PLACE_AGAIN,
                    REPAIR,
                    POOL,
                    QUEUE,
                    STUCK,
                    LEFT ->
                    "time came to what was set%s (%s)".formatted(of, alarm.kind());
        };
    }
}
