package dev.muster.coordinator.core.queue;

import dev.muster.coordinator.core.gang.GangRequirements;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Sweep.Place;
import dev.muster.coordinator.core.queue.Line.Likeness;
import dev.muster.coordinator.core.queue.Lines.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait and may be tried, per queue. Jobs that differ only by age stand in one line,
 * of which only the head needs to be tried: a million jobs cost as much as the few lines they form.
 */
public final class Backlog {
    /** How many lines of a queue every round looks at; the others are a {@code Sweep}'s matter. */
    public static final int DEPTH = 1024;

    private final Marks marks;
    private final Map<String, Lines> queues = new LinkedHashMap<>();

    private final NavigableSet<String> deep = new TreeSet<>();

    /** By the shapes of first lines. */
    private final LineCounts<Shape> shapes = new LineCounts<>();

    public final ChangedShapes changedForTurns = new ChangedShapes();
    public final ChangedShapes changedForReserves = new ChangedShapes();

    /**
     * Shapes that some of the first lines have and had not when somebody took what he keeps of each
     * up to that, or the other way round: who comes and goes between is none of them.
     */
    public static final class ChangedShapes {
        private final Set<Shape> shapes = new LinkedHashSet<>();

        private void turn(Shape shape) {
            if (!shapes.remove(shape)) {
                shapes.add(shape);
            }
        }

        public List<Shape> take() {
            var taken = List.copyOf(shapes);
            shapes.clear();
            return taken;
        }
    }

    /** By the namespaces of all lines. */
    private final LineCounts<String> namespaces = new LineCounts<>();

    /** When waiting alone may put the first lines of a queue into another order. */
    private final TreeSet<Turn> turns = new TreeSet<>(Turn.BY_TIME);

    private final Map<String, Turn> turnOf = new LinkedHashMap<>();

    private record Turn(Instant at, String queue) {
        static final Comparator<Turn> BY_TIME =
                Comparator.comparing(Turn::at).thenComparing(Turn::queue);
    }

    /** What the lines of all queues need. */
    public final Needs needs = new Needs();

    public Backlog(Marks marks) {
        this.marks = marks;
    }

    public void add(Job job, GangRequirements makeup) {
        var queue = job.spec().queue();
        var lines = queues.computeIfAbsent(queue, _ -> new Lines());
        var line = lines.make(likeness(job, makeup));
        boolean isNew = line.isEmpty();
        if (isNew) {
            needs.add(line.likeness().use().requests());
            lines.needs.add(line.likeness().use().requests());
            namespaces.add(line.likeness().namespace(), queue);
        }
        boolean isHead = line.isBeforeHead(job);
        if (isHead && !isNew) {
            lines.leave(line);
        }
        line.add(job);
        if (isHead) {
            lines.enter(line);
            marks.of(queue);
        }
        lines.jobs++;
        lines.bySince.put(job.past().inLine(), job.ticket(), job.id());
        if (lines.count() > DEPTH) {
            deep.add(queue);
        }
    }

    /**
     * @param next the submission time of the job that becomes the head
     */
    public interface Submitted {
        Instant of(JobId next);
    }

    public void remove(Job job, GangRequirements makeup, Submitted submitted) {
        var queue = job.spec().queue();
        var lines = queues.get(queue);
        var line = lines == null ? null : lines.get(likeness(job, makeup));
        if (lines == null || line == null) {
            return;
        }
        boolean wasHead = line.ticket() == job.ticket();
        if (wasHead) {
            lines.leave(line);
            marks.of(queue);
        }
        line.remove(job, submitted);
        if (line.isEmpty()) {
            lines.forget(line);
            needs.remove(line.likeness().use().requests());
            lines.needs.remove(line.likeness().use().requests());
            namespaces.remove(line.likeness().namespace(), queue);
            setFirst(line, queue, false);
        } else if (wasHead) {
            lines.enter(line);
        }
        lines.jobs--;
        lines.bySince.remove(job.past().inLine(), job.ticket());
        if (lines.count() <= DEPTH) {
            deep.remove(queue);
        }
        if (lines.count() == 0) {
            queues.remove(queue);
        }
    }

    /** It is one of the first of its queue from now on, or none of them. */
    private void setFirst(Line line, String queue, boolean isFirst) {
        if (line.isFirst() == isFirst) {
            return;
        }
        line.becomeFirst(isFirst);
        boolean was = isFirst(line.shape());
        if (isFirst) {
            shapes.add(line.shape(), queue);
        } else {
            shapes.remove(line.shape(), queue);
        }
        if (isFirst(line.shape()) != was) {
            changedForTurns.turn(line.shape());
            changedForReserves.turn(line.shape());
        }
    }

    /** One of the first lines of a queue has it, as they were last asked for. */
    public boolean isFirst(Shape shape) {
        return !shapes.queues(shape).isEmpty();
    }

    /** The queues of which one of the first lines has this shape. */
    public Set<String> queues(Shape shape) {
        return shapes.queues(shape);
    }

    /** The queues of which one of the lines is of jobs in this namespace. */
    public Set<String> queuesOf(String namespace) {
        return namespaces.queues(namespace);
    }

    private static Likeness likeness(Job job, GangRequirements makeup) {
        return new Likeness(
                makeup.start(),
                makeup.startUse(),
                job.spec().place().priority(),
                job.id().namespace(),
                job.past().letIn() != null);
    }

    /** The first lines of a queue, in order. */
    public List<Line> lines(String queue, Order order) {
        var lines = queues.get(queue);
        if (lines == null) {
            return List.of();
        }
        var before = lines.first();
        var first = lines.first(order);
        expectTurn(queue, lines, order);
        if (first != before) {
            before.forEach(line -> line.stays = false);
            first.forEach(line -> line.stays = true);
            for (var line : before) {
                setFirst(line, queue, line.stays);
            }
            for (var line : first) {
                setFirst(line, queue, true);
            }
        }
        return first;
    }

    /** Of a queue that has more lines than the first all that comes behind may change any time. */
    private void expectTurn(String queue, Lines lines, Order order) {
        var until = lines.firstUntil();
        var at =
                until.equals(Instant.MAX) || !deep.contains(queue)
                        ? until
                        : order.at().plusNanos(1);
        var known = turnOf.get(queue);
        if (known == null ? at.equals(Instant.MAX) : known.at().equals(at)) {
            return;
        }
        if (known != null) {
            turns.remove(known);
            turnOf.remove(queue);
            if (!known.at().isAfter(order.at())) {
                marks.of(queue); // It has come, and nobody has marked it yet.
            }
        }
        if (!at.equals(Instant.MAX)) {
            var turn = new Turn(at, queue);
            turns.add(turn);
            turnOf.put(queue, turn);
        }
    }

    /** Marks the queues whose lines waiting alone may have put into another order by now. */
    public void markTurned(Instant now) {
        while (!turns.isEmpty() && !turns.first().at().isAfter(now)) {
            var turn = turns.removeFirst();
            turnOf.remove(turn.queue());
            marks.of(turn.queue());
        }
    }

    /**
     * Lines of a queue that are none of its first ones, in order.
     *
     * @param place those there or before are left out; null: none is
     * @param most how many at most
     */
    public List<Line> further(String queue, Order order, @Nullable Place place, int most) {
        var lines = queues.get(queue);
        if (lines == null) {
            return List.of();
        }
        var found = new ArrayList<Line>();
        var all = lines.after(place, order);
        while (found.size() < most && all.hasNext()) {
            var line = all.next();
            if (!line.isFirst()) {
                found.add(line);
            }
        }
        return found;
    }

    /** What the lines of one queue need; null: nobody waits there. */
    public @Nullable Needs needs(String queue) {
        var lines = queues.get(queue);
        return lines == null ? null : lines.needs;
    }

    /** All lines of a queue, in order. */
    public Iterator<Line> inOrder(String queue, Order order) {
        var lines = queues.get(queue);
        return lines == null ? Collections.emptyIterator() : lines.after(null, order);
    }

    /** Queues that have more lines than every round looks at, by name. */
    public NavigableSet<String> deep() {
        return Collections.unmodifiableNavigableSet(deep);
    }

    /** What waiting since then has added to a priority: one each step, up to the most. */
    public static long aged(Instant since, Instant now, PoolSpec.Priorities priorities) {
        if (priorities.agingStep().isZero()) {
            return 0;
        }
        var waited = Duration.between(since, now);
        return Math.clamp(waited.dividedBy(priorities.agingStep()), 0, priorities.agingMost());
    }

    /** Null: it takes no part. */
    public @Nullable Line lineOf(Job job, GangRequirements makeup) {
        var lines = queues.get(job.spec().queue());
        return lines == null ? null : lines.get(likeness(job, makeup));
    }

    public int size(String queue) {
        var lines = queues.get(queue);
        return lines == null ? 0 : lines.jobs;
    }

    /** Since when the one of a queue waits in line that has waited longest; null: nobody does. */
    public @Nullable Instant oldest(String queue) {
        var lines = queues.get(queue);
        return lines == null || lines.bySince.isEmpty() ? null : lines.bySince.firstTime();
    }

    /** All of a queue, line by line. */
    public Stream<JobId> jobs(String queue) {
        var lines = queues.get(queue);
        return lines == null ? Stream.empty() : lines.all().stream().flatMap(Line::jobs);
    }

    /**
     * How many of its queue come before it: where it stands behind the first lines, at least so
     * many, since only they are counted.
     */
    public int before(Job job, Order order, Known known) {
        var lines = queues.get(job.spec().queue());
        return lines == null ? 0 : lines.before(job, order, known);
    }

    /** Finds a job that waits. */
    public interface Known {
        @Nullable Job get(JobId id);
    }
}
