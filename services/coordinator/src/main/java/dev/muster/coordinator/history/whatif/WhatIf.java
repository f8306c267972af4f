package dev.muster.coordinator.history.whatif;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.history.replay.Finding;
import dev.muster.coordinator.history.replay.PoolPast;
import dev.muster.coordinator.history.replay.RuleVersions;
import dev.muster.coordinator.history.replay.Stretch;
import dev.muster.coordinator.history.whatif.Trial.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a stretch of the log would have been with other settings. */
public final class WhatIf {
    /** Who starts within so long of before started no earlier and no later. */
    private static final Duration SAME_START_WITHIN = Duration.ofSeconds(1);

    private WhatIf() {}

    /**
     * Waits of the jobs of a queue that started.
     *
     * @param mean of all, zero where none started
     */
    public record Waits(int started, Duration mean, Duration median, Duration longest) {
        static Waits of(List<Duration> waits) {
            var sorted = waits.stream().sorted().toList();
            int n = sorted.size();
            return n == 0
                    ? new Waits(0, Duration.ZERO, Duration.ZERO, Duration.ZERO)
                    : new Waits(
                            n,
                            sorted.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(n),
                            sorted.get(n / 2),
                            sorted.getLast());
        }
    }

    /**
     * Jobs count in the queue from which they start, before and after.
     *
     * @param earlier how many of its jobs start earlier, those among them that did not start
     * @param later how many start later, those among them that start no more
     */
    public record OfQueue(Waits before, Waits after, int earlier, int later) {}

    /**
     * @param from the pool's time, which never goes back; so is its end
     * @param queues by name
     * @param unknown queues and nodes that the alteration names and that were not there
     * @param assumed how many jobs never started in the log, so that how they run is assumed
     * @param measured how many said how fast they train, which counts for nothing here
     * @param strays how many pods were, when it began, on nodes that the alteration leaves out
     * @param off by how much a trial in which nothing is altered misses the recorded starts, mean
     * @param most the same, of the job that it misses by most
     * @param unstarted how many jobs that started it does not start
     * @param rules of all that was replayed
     * @param stop at which record the pool cannot go on, before which this ends; null: there is
     *     none
     */
    public record Result(
            Instant from,
            Instant to,
            SortedMap<String, OfQueue> queues,
            SortedSet<String> unknown,
            int assumed,
            int measured,
            int strays,
            Duration off,
            Duration most,
            int unstarted,
            RuleVersions rules,
            Finding.@Nullable NotTaken stop) {}

    /** The stretch as it went, and where it began. */
    private record Recorded(
            RecordedRun course,
            List<Row> rows,
            Instant from,
            Instant to,
            RuleVersions rules,
            Finding.@Nullable NotTaken stop) {}

    /**
     * Tries the alteration.
     *
     * @param coreVersion of the rules in this process
     * @return empty: the pool heard nothing in that time
     * @throws PoolPast.NoBeginningException when there is no snapshot to begin with
     * @throws PoolPast.StoppedException when the pool cannot go on to that time
     */
    public static Optional<Result> run(Stretch stretch, Alteration alteration, String coreVersion) {
        var recorded = recorded(stretch, coreVersion);
        if (recorded == null) {
            return Optional.empty();
        }
        var same = new Trial(recorded.rows(), Alteration.none(), recorded.course());
        var other = new Trial(recorded.rows(), alteration, recorded.course());
        stretch.walk((copy, taken) -> {
            if (taken != null) {
                same.hear(taken.event(), copy.pool().now());
                other.hear(taken.event(), copy.pool().now());
            }
        });
        var course = recorded.course();
        same.goOn(course.end());
        other.goOn(course.end());
        var unknown = alteration.unknown(course.queues(), course.nodes());
        int strays = alteration.strays(recorded.rows());
        return Optional.of(result(recorded, unknown, strays, same, other));
    }

    private static @Nullable Recorded recorded(Stretch stretch, String coreVersion) {
        var course = new RecordedRun();
        var rows = new ArrayList<Row>();
        var times = new ArrayDeque<Instant>();
        var versions = new LinkedHashSet<String>();
        var stop =
                stretch.walk((copy, taken) -> {
                    versions.addAll(copy.versions());
                    if (taken == null) {
                        copy.rows().forEach(rows::add);
                        rows.sort(Comparator.comparing(row -> row.key().table()));
                        rows.forEach(course::know);
                    } else {
                        course.take(taken, copy.pool().now());
                        if (times.size() > 1) {
                            times.removeLast();
                        }
                        times.add(copy.pool().now());
                    }
                });
        if (times.isEmpty() && stop != null) {
            throw new PoolPast.StoppedException(stretch.pool(), stop);
        }
        return times.isEmpty()
                ? null
                : new Recorded(
                        course,
                        List.copyOf(rows),
                        times.getFirst(),
                        times.getLast(),
                        new RuleVersions(List.copyOf(versions), coreVersion),
                        stop);
    }

    private static Result result(
            Recorded recorded, SortedSet<String> unknown, int strays, Trial same, Trial other) {
        var waited = recorded.course().waited();
        var names = new TreeMap<String, Set<JobId>>();
        Stream.of(same.starts(), other.starts())
                .flatMap(starts -> starts.entrySet().stream())
                .filter(start -> waited.contains(start.getKey()))
                .forEach(start ->
                        names.computeIfAbsent(start.getValue().queue(), _ -> new LinkedHashSet<>())
                                .add(start.getKey()));
        var queues = new TreeMap<String, OfQueue>();
        names.forEach((queue, jobs) ->
                queues.put(queue, ofQueue(queue, jobs, same.starts(), other.starts())));
        var started = recorded.course().starts();
        var misses = misses(started, same.starts());
        return new Result(
                recorded.from(),
                recorded.to(),
                queues,
                unknown,
                other.assumed().size(),
                recorded.course().measured().size(),
                strays,
                Waits.of(misses).mean(),
                Waits.of(misses).longest(),
                started.size() - misses.size(),
                recorded.rules(),
                recorded.stop());
    }

    private static OfQueue ofQueue(
            String queue, Set<JobId> jobs, Map<JobId, Start> before, Map<JobId, Start> after) {
        int earlier = 0;
        int later = 0;
        for (var job : jobs) {
            var one = before.get(job);
            var two = after.get(job);
            if (!isOf(queue, two == null ? one : two)) {
                continue; // It was moved meanwhile, and counts where it starts now.
            }
            if (two != null
                    && (one == null || two.at().plus(SAME_START_WITHIN).isBefore(one.at()))) {
                earlier++;
            } else if (one != null
                    && (two == null || one.at().plus(SAME_START_WITHIN).isBefore(two.at()))) {
                later++;
            }
        }
        return new OfQueue(waits(queue, jobs, before), waits(queue, jobs, after), earlier, later);
    }

    private static boolean isOf(String queue, @Nullable Start start) {
        return start != null && start.queue().equals(queue);
    }

    private static Waits waits(String queue, Set<JobId> jobs, Map<JobId, Start> starts) {
        var waits = new ArrayList<Duration>();
        for (var job : jobs) {
            var start = starts.get(job);
            if (start != null && isOf(queue, start)) {
                waits.add(start.waited());
            }
        }
        return Waits.of(waits);
    }

    private static List<Duration> misses(Map<JobId, Instant> recorded, Map<JobId, Start> same) {
        var misses = new ArrayList<Duration>();
        recorded.forEach((job, start) -> {
            var tried = same.get(job);
            if (tried != null) {
                misses.add(Duration.between(start, tried.at()).abs());
            }
        });
        return misses;
    }
}
