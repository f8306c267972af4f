package dev.muster.coordinator.core.queue;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Sweep.Place;
import dev.muster.coordinator.core.queue.Line.Likeness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The lines of one queue, in the order in which their heads may start. */
public final class Lines {
    /** Nobody waits so long. */
    private static final Duration NEVER = Duration.ofDays(1_000_000);

    private final Map<Likeness, Line> byLikeness = new LinkedHashMap<>();
    private final NavigableMap<Place, Line> inOrder = new TreeMap<>();
    private Mode mode = Mode.PRIORITY;

    /** How many wait in all of them. */
    int jobs;

    /** These, by since when. */
    final Tickets bySince = Tickets.byTime();

    /** What they need. */
    final Needs needs = new Needs();

    private List<Line> first = List.of();

    /** By what the first were found; null: they may be others now. */
    private @Nullable Order firstBy;

    /** When waiting alone may make them others. */
    private Instant firstUntil = Instant.MAX;

    /**
     * What goes before what.
     *
     * @param at when, where waiting adds to priorities
     */
    public record Order(boolean fifo, PoolSpec.Priorities priorities, Instant at) {
        public static Order of(Queue queue, PoolSpec.Priorities priorities, Instant at) {
            boolean fifo = queue.spec().order().kind() == QueueSpec.Kind.FIFO;
            boolean changes = !fifo && !priorities.agingStep().isZero();
            return new Order(fifo, priorities, changes ? at : Instant.EPOCH);
        }

        private Mode mode() {
            if (fifo) {
                return Mode.AGE;
            }
            return priorities.agingStep().isZero() ? Mode.PRIORITY : Mode.TIME;
        }

        public Place of(Line line) {
            return place(line.priority(), line.oldest(), line.ticket());
        }

        public Place of(Job job) {
            return place(job.spec().place().priority(), job.agesFrom(), job.ticket());
        }

        /** Its priority, with what waiting has added where that counts. */
        public long worth(Line line) {
            return worth(line.priority(), line.oldest());
        }

        /** The same of a job that waits. */
        public long worth(Job job) {
            return worth(job.spec().place().priority(), job.agesFrom());
        }

        private long worth(int priority, Instant since) {
            return mode() == Mode.TIME ? priority + aged(since) : priority;
        }

        private Place place(int priority, Instant since, long ticket) {
            return switch (mode()) {
                case AGE -> new Place(0, null, ticket);
                case PRIORITY -> new Place(priority, null, ticket);
                case TIME -> new Place(priority + aged(since), since, ticket);
            };
        }

        private long aged(Instant since) {
            return Backlog.aged(since, at, priorities);
        }

        /** When waiting adds to its priority next. */
        private Instant nextStep(Line line) {
            long aged = aged(line.oldest());
            var step = priorities.agingStep();
            return aged >= priorities.agingMost() || step.compareTo(NEVER) > 0
                    ? Instant.MAX
                    : line.oldest().plus(step.multipliedBy(aged + 1));
        }

        /** What was found by that one still holds, but for what waiting adds since. */
        private boolean isAs(Order other) {
            return fifo == other.fifo && priorities.equals(other.priorities);
        }
    }

    /** By what jobs of a queue are ordered; of equal ones the first submission is the first. */
    private enum Mode {
        /** By nothing else. */
        AGE,

        /** By priority. */
        PRIORITY,

        /** By priority, to which waiting adds: of one priority who came in line first is first. */
        TIME
    }

    /**
     * Where they stand is found by it from now on; when an operator has it be another, all of them
     * are put in order once.
     */
    private void follow(Order order) {
        if (order.mode() == mode) {
            return;
        }
        mode = order.mode();
        inOrder.clear();
        for (var line : byLikeness.values()) {
            line.goByTime(mode == Mode.TIME);
            inOrder.put(key(line), line);
        }
        firstBy = null;
    }

    /** What waiting adds is the same for the same time: it does not change who is first. */
    private Place key(Line line) {
        return switch (mode) {
            case AGE -> new Place(0, null, line.ticket());
            case PRIORITY -> new Place(line.priority(), null, line.ticket());
            case TIME -> new Place(line.priority(), line.oldest(), line.ticket());
        };
    }

    int count() {
        return byLikeness.size();
    }

    Collection<Line> all() {
        return byLikeness.values();
    }

    @Nullable Line get(Likeness likeness) {
        return byLikeness.get(likeness);
    }

    Line make(Likeness likeness) {
        return byLikeness.computeIfAbsent(likeness, of -> new Line(of, mode == Mode.TIME));
    }

    void forget(Line line) {
        byLikeness.remove(line.likeness());
    }

    /** It has another head, or its first one. */
    void enter(Line line) {
        inOrder.put(key(line), line);
        if (firstBy == null) {
            return;
        }
        if (!isBehindFirst(line, firstBy) || mode == Mode.TIME && firstUntil.equals(Instant.MAX)) {
            firstBy = null;
        } else if (mode == Mode.TIME) {
            firstUntil = earlier(firstUntil, firstBy.nextStep(line));
        }
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Its head is about to be another. */
    void leave(Line line) {
        inOrder.remove(key(line));
        if (line.isFirst()) {
            firstBy = null;
        }
    }

    /** How many come before it; of those, who stands in the first lines. */
    int before(Job job, Order order, Backlog.Known known) {
        var place = order.of(job);
        int before = 0;
        var lines = after(null, order);
        for (int looks = Backlog.DEPTH; looks > 0 && lines.hasNext(); looks--) {
            var line = lines.next();
            if (order.of(line).compareTo(place) >= 0) {
                break; // Nor does anybody of those behind it come before.
            }
            before +=
                    line.size() == 1
                            ? 1
                            : before(line, place, job.spec().place().priority(), order, known);
        }
        return before;
    }

    private int before(Line line, Place place, int priority, Order order, Backlog.Known known) {
        if (mode == Mode.TIME) {
            return line.countFirst(id -> {
                var other = known.get(id);
                return other != null && order.of(other).compareTo(place) < 0;
            });
        }
        if (mode == Mode.AGE || line.priority() == priority) {
            return line.before(place.ticket());
        }
        return line.priority() > priority ? line.size() : 0;
    }

    private boolean isBehindFirst(Line line, Order by) {
        return first.size() == Backlog.DEPTH && by.of(line).compareTo(by.of(first.getLast())) > 0;
    }

    /** The first ones as last found. */
    List<Line> first() {
        return first;
    }

    /** The first ones; the same list while they are the same. */
    List<Line> first(Order order) {
        follow(order);
        if (!isKnown(order)) {
            var found = new ArrayList<Line>(Math.min(byLikeness.size(), Backlog.DEPTH));
            var lines = after(null, order);
            while (found.size() < Backlog.DEPTH && lines.hasNext()) {
                found.add(lines.next());
            }
            firstUntil = lines instanceof Merged merged ? merged.until(found) : Instant.MAX;
            first = found;
            firstBy = order;
        }
        return first;
    }

    private boolean isKnown(Order order) {
        return firstBy != null
                && order.isAs(firstBy)
                && !order.at().isBefore(firstBy.at())
                && order.at().isBefore(firstUntil);
    }

    /** When waiting alone may make the first ones others; the end of time: never. */
    Instant firstUntil() {
        return firstUntil;
    }

    /**
     * In order.
     *
     * @param place what stands there or before is left out; null: nothing is
     */
    Iterator<Line> after(@Nullable Place place, Order order) {
        follow(order);
        if (mode == Mode.TIME) {
            return new Merged(place, order);
        }
        return (place == null ? inOrder : inOrder.tailMap(place, false)).values().iterator();
    }

    /**
     * Lines of all priorities, as what waiting adds brings them together: of one priority older
     * ones are never worth less, so that only the next of each has to be compared.
     */
    private final class Merged implements Iterator<Line> {
        private record Next(Place place, Line line) {}

        private final @Nullable Place after;
        private final Order order;
        private final PriorityQueue<Next> nexts =
                new PriorityQueue<>(Comparator.comparing(Next::place));

        /** The first of the highest priority of which none is among the next ones yet. */
        private Map.@Nullable Entry<Place, Line> below;

        private Merged(@Nullable Place after, Order order) {
            this.after = after;
            this.order = order;
            // Of a higher priority than that all came before.
            below =
                    after == null
                            ? inOrder.firstEntry()
                            : inOrder.ceilingEntry(new Place(after.worth(), null, 0));
        }

        @Override
        public boolean hasNext() {
            while (below != null && mayComeNext(below.getValue())) {
                var from = below.getValue();
                var line = after == null ? from : firstAfter(after, from);
                if (line != null) {
                    nexts.add(new Next(order.of(line), line));
                }
                below = inOrder.higherEntry(last(from.priority()));
            }
            return !nexts.isEmpty();
        }

        /**
         * When waiting may next change the order of the first ones, or bring another among them: of
         * each priority that is the oldest of the others, if any.
         */
        Instant until(List<Line> found) {
            if (inOrder.isEmpty() || inOrder.firstKey().worth() == inOrder.lastKey().worth()) {
                return Instant.MAX; // Of one priority they stay as they came.
            }
            var until = Instant.MAX;
            for (var line : found) {
                until = earlier(until, order.nextStep(line));
            }
            for (var next : nexts) {
                until = earlier(until, order.nextStep(next.line()));
            }
            return until;
        }

        /** With all that waiting may add to its priority. */
        private boolean mayComeNext(Line line) {
            var next = nexts.peek();
            long most = line.priority() + (long) order.priorities().agingMost();
            return next == null || most >= next.place().worth();
        }

        private static Place last(int priority) {
            return new Place(priority, Instant.MAX, Long.MAX_VALUE);
        }

        @Override
        public Line next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            var line = nexts.remove().line();
            var following = inOrder.higherEntry(key(line));
            if (following != null && following.getValue().priority() == line.priority()) {
                nexts.add(new Next(order.of(following.getValue()), following.getValue()));
            }
            return line;
        }

        /**
         * @param from the first line of its priority
         * @return null: all of that priority came before
         */
        private @Nullable Line firstAfter(Place place, Line from) {
            long added = place.worth() - from.priority();
            if (added < 0) {
                return null; // Each is worth more.
            }
            if (added > order.aged(from.oldest())) {
                return from; // Each is worth less.
            }
            int priority = from.priority();
            var last = new Place(priority, place.since(), place.ticket());
            var worthAsMuch = added == 0 ? last(priority) : lastWith(added, priority);
            last = last.compareTo(worthAsMuch) > 0 ? worthAsMuch : last;
            if (added < order.aged(from.oldest())) {
                var worthMore = lastWith(added + 1, priority);
                last = last.compareTo(worthMore) < 0 ? worthMore : last;
            }
            var next = inOrder.higherEntry(last);
            return next == null || next.getValue().priority() != priority ? null : next.getValue();
        }

        /** Who stands there or before has waited for so many steps at least. */
        private Place lastWith(long steps, int priority) {
            var waited = order.priorities().agingStep().multipliedBy(steps);
            return new Place(priority, order.at().minus(waited), Long.MAX_VALUE);
        }
    }
}
