package dev.muster.coordinator.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How long those who would see a job run have seen nothing. A deadline that rests on not having
 * seen something is put off by as much.
 *
 * <p>The sum over all watcher shards and the job's pod-manager: where several are silent at once,
 * the deadline waits longer than it must, never shorter.
 */
final class Blindness {
    private Blindness() {}

    static Duration of(Tables tables, JobId job) {
        return witnesses(tables, job).stream()
                .map(source -> source.blindUntil(tables.now()))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** One of them is silent now, or has not yet told what it missed. */
    static boolean now(Tables tables, JobId job) {
        Instant now = tables.now();
        return witnesses(tables, job).stream().anyMatch(source -> source.isBlind(now));
    }

    private static List<Source> witnesses(Tables tables, JobId job) {
        return tables.sources().stream()
                .filter(source ->
                        source.kind() == Source.Kind.WATCHER
                                || source.number() == job.uid().partition())
                .toList();
    }
}
