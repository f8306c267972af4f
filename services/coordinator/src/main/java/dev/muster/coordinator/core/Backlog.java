package dev.muster.coordinator.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait and may be tried, per queue. Jobs that differ only by age stand in one line,
 * of which only the head needs to be tried: a million jobs cost as much as the few lines they form.
 */
final class Backlog {
    /** How many lines of a queue are tried in one round; a head behind so many waits longer. */
    static final int DEPTH = 256;

    private final Marks marks;
    private final Map<String, Lines> queues = new LinkedHashMap<>();

    /** For every shape that waits, how many lines each queue has of it. */
    private final Map<Shape, Map<String, Integer>> shapes = new LinkedHashMap<>();

    Backlog(Marks marks) {
        this.marks = marks;
    }

    /** What jobs of one line have in common. */
    record Likeness(Shape shape, Ledger.Use use, int priority, String namespace) {}

    /** Waiting jobs that differ only by age, the oldest first. */
    static final class Line {
        private final Likeness likeness;
        private final Tickets jobs = new Tickets();
        private Instant oldest = Instant.EPOCH;

        private Line(Likeness likeness) {
            this.likeness = likeness;
        }

        Likeness likeness() {
            return likeness;
        }

        Shape shape() {
            return likeness.shape();
        }

        long ticket() {
            return jobs.first();
        }

        JobId head() {
            return jobs.firstJob();
        }

        int size() {
            return jobs.size();
        }
    }

    private static final class Lines {
        private final Map<Likeness, Line> byLikeness = new LinkedHashMap<>();
        private final TreeSet<Line> inOrder = new TreeSet<>(Lines::compare);
        private int jobs;

        /** The first lines by priority; null: they have changed since. */
        private @Nullable List<Line> first;

        private static int compare(Line one, Line other) {
            int order = Integer.compare(other.likeness.priority, one.likeness.priority);
            return order == 0 ? Long.compare(one.ticket(), other.ticket()) : order;
        }

        List<Line> first() {
            if (first == null) {
                var lines = new ArrayList<Line>(Math.min(inOrder.size(), DEPTH));
                for (var line : inOrder) {
                    if (lines.size() == DEPTH) {
                        break;
                    }
                    lines.add(line);
                }
                first = lines;
            }
            return first;
        }

        private void enter(Line line) {
            inOrder.add(line);
            first = null;
        }

        private void leave(Line line) {
            inOrder.remove(line);
            first = null;
        }
    }

    void add(Job job, Makeup makeup) {
        var queue = job.spec().queue();
        var lines = queues.computeIfAbsent(queue, _ -> new Lines());
        var line = lines.byLikeness.computeIfAbsent(likeness(job, makeup), Line::new);
        boolean isNew = line.jobs.isEmpty();
        boolean isHead = isNew || job.ticket() < line.ticket();
        if (isHead && !isNew) {
            lines.leave(line);
        }
        line.jobs.put(job.ticket(), job.id());
        lines.jobs++;
        if (isHead) {
            line.oldest = job.times().submitted();
            lines.enter(line);
            marks.of(queue);
        }
        if (isNew) {
            shapes.computeIfAbsent(line.shape(), _ -> new LinkedHashMap<>())
                    .merge(queue, 1, Integer::sum);
        }
    }

    /**
     * @param next the submission time of the job that becomes the head
     */
    interface Submitted {
        Instant of(JobId next);
    }

    void remove(Job job, Makeup makeup, Submitted submitted) {
        var lines = queues.get(job.spec().queue());
        var line = lines == null ? null : lines.byLikeness.get(likeness(job, makeup));
        if (lines == null || line == null) {
            return;
        }
        boolean wasHead = line.ticket() == job.ticket();
        if (wasHead) {
            lines.leave(line);
            marks.of(job.spec().queue());
        }
        line.jobs.remove(job.ticket());
        lines.jobs--;
        if (line.jobs.isEmpty()) {
            lines.byLikeness.remove(line.likeness);
            forget(line.shape(), job.spec().queue());
        } else if (wasHead) {
            line.oldest = submitted.of(line.head());
            lines.enter(line);
        }
        if (lines.byLikeness.isEmpty()) {
            queues.remove(job.spec().queue());
        }
    }

    private void forget(Shape shape, String queue) {
        shapes.computeIfPresent(
                shape,
                (_, of) -> {
                    of.computeIfPresent(queue, (_, lines) -> lines == 1 ? null : lines - 1);
                    return of.isEmpty() ? null : of;
                });
    }

    /** Every shape of which a job waits. */
    Set<Shape> shapes() {
        return shapes.keySet();
    }

    /** The queues in which jobs of this shape wait. */
    Set<String> queues(Shape shape) {
        return shapes.getOrDefault(shape, Collections.emptySortedMap()).keySet();
    }

    private static Likeness likeness(Job job, Makeup makeup) {
        return new Likeness(
                makeup.start(),
                makeup.startUse(),
                job.spec().place().priority(),
                job.id().namespace());
    }

    /** The first lines of a queue, in the order in which their heads may start. */
    List<Line> lines(Queue queue, PoolSpec.Priorities priorities, Instant now) {
        var lines = queues.get(queue.name());
        if (lines == null) {
            return List.of();
        }
        boolean fifo = queue.spec().order().kind() == QueueSpec.Kind.FIFO;
        if (!fifo && priorities.agingStep().isZero()) {
            return lines.first();
        }
        var sorted = new ArrayList<>(lines.inOrder);
        var byAge = Comparator.comparingLong(Line::ticket);
        sorted.sort(
                fifo
                        ? byAge
                        : Comparator.comparingLong((Line line) ->
                                        -(line.likeness.priority
                                                + aged(line.oldest, now, priorities)))
                                .thenComparing(byAge));
        return List.copyOf(sorted.subList(0, Math.min(sorted.size(), DEPTH)));
    }

    /** What waiting has added to a priority: one each step, up to the most. */
    static long aged(Instant submitted, Instant now, PoolSpec.Priorities priorities) {
        if (priorities.agingStep().isZero()) {
            return 0;
        }
        var waited = Duration.between(submitted, now);
        return Math.clamp(waited.dividedBy(priorities.agingStep()), 0, priorities.agingMost());
    }

    boolean isHeadOfItsLine(Job job, Makeup makeup) {
        var lines = queues.get(job.spec().queue());
        var line = lines == null ? null : lines.byLikeness.get(likeness(job, makeup));
        return line != null && line.ticket() == job.ticket();
    }

    /** The oldest of those that are like it; null: it takes no part. */
    @Nullable JobId headOfItsLine(Job job, Makeup makeup) {
        var lines = queues.get(job.spec().queue());
        var line = lines == null ? null : lines.byLikeness.get(likeness(job, makeup));
        return line == null ? null : line.head();
    }

    boolean isEmpty(String queue) {
        return !queues.containsKey(queue);
    }

    int size(String queue) {
        var lines = queues.get(queue);
        return lines == null ? 0 : lines.jobs;
    }

    /** All of a queue, line by line. */
    Stream<JobId> jobs(String queue) {
        var lines = queues.get(queue);
        return lines == null
                ? Stream.empty()
                : lines.byLikeness.values().stream().flatMap(line -> line.jobs.all());
    }

    /** How many of its queue come before it now. */
    int before(Job job, boolean fifo, Aging aging) {
        var lines = queues.get(job.spec().queue());
        if (lines == null) {
            return 0;
        }
        int before = 0;
        for (var line : lines.byLikeness.values()) {
            int older = line.jobs.before(job.ticket());
            before += fifo ? older : before(line, older, aging.lead(job, line));
        }
        return before;
    }

    /**
     * @param older of this line
     * @param lead of each of this line
     */
    private static int before(Line line, int older, Lead lead) {
        int better = line.jobs.countFirst(id -> lead.of(id) > 0);
        int noWorse = line.jobs.countFirst(id -> lead.of(id) >= 0);
        return Math.max(better, Math.min(noWorse, older));
    }

    /** By how much another of one line goes before a job; negative: after it. */
    private interface Lead {
        long of(JobId other);
    }

    /** What waiting adds now. */
    record Aging(PoolSpec.Priorities priorities, Instant now, Submitted submitted) {
        private Lead lead(Job job, Line line) {
            long own =
                    job.spec().place().priority()
                            + aged(job.times().submitted(), now, priorities)
                            - line.likeness.priority;
            return priorities.agingStep().isZero()
                    ? _ -> -own
                    : other -> aged(submitted.of(other), now, priorities) - own;
        }
    }
}
