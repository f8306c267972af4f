package dev.muster.coordinator.core.queue;

import static java.util.Objects.requireNonNull;

import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Sweep.Place;
import dev.muster.coordinator.core.queue.Line.Likeness;
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
    private final Map<Likeness, Line> byLikeness = new LinkedHashMap<>();
    private final NavigableMap<Place, Line> byPriority = new TreeMap<>();
    private final NavigableMap<Place, Line> byAge = new TreeMap<>();

    /** How many wait in all of them. */
    int jobs;

    private List<Line> first = List.of();

    /** By what the first were found; null: they may be others now. */
    private @Nullable Order firstBy;

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

        private boolean isByTime() {
            return !fifo && !priorities.agingStep().isZero();
        }

        public Place of(Line line) {
            return new Place(fifo ? 0 : worth(line), line.ticket());
        }

        private long worth(Line line) {
            return line.priority() + Backlog.aged(line.oldest, at, priorities);
        }
    }

    private static Place byPriority(Line line) {
        return new Place(line.priority(), line.ticket());
    }

    private static Place byAge(Line line) {
        return new Place(0, line.ticket());
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
        return byLikeness.computeIfAbsent(likeness, Line::new);
    }

    void forget(Line line) {
        byLikeness.remove(line.likeness());
    }

    /** It has another head, or its first one. */
    void enter(Line line) {
        byPriority.put(byPriority(line), line);
        byAge.put(byAge(line), line);
        if (firstBy != null && !isBehindFirst(line, firstBy)) {
            firstBy = null;
        }
    }

    /** Its head is about to be another. */
    void leave(Line line) {
        byPriority.remove(byPriority(line));
        byAge.remove(byAge(line));
        if (line.isFirst) {
            firstBy = null;
        }
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
        if (!order.equals(firstBy)) {
            var found = new ArrayList<Line>(Math.min(byLikeness.size(), Backlog.DEPTH));
            var lines = after(null, order);
            while (found.size() < Backlog.DEPTH && lines.hasNext()) {
                found.add(lines.next());
            }
            first = found;
            firstBy = order;
        }
        return first;
    }

    /**
     * In order.
     *
     * @param place what stands there or before is left out; null: nothing is
     */
    Iterator<Line> after(@Nullable Place place, Order order) {
        if (order.isByTime()) {
            return new Merged(place, order);
        }
        var lines = order.fifo() ? byAge : byPriority;
        return (place == null ? lines : lines.tailMap(place, false)).values().iterator();
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
                            ? byPriority.firstEntry()
                            : byPriority.ceilingEntry(new Place(after.worth(), Long.MIN_VALUE));
        }

        @Override
        public boolean hasNext() {
            while (below != null && mayComeNext(below.getValue())) {
                var from = below.getValue();
                var line = after == null ? from : firstAfter(after, from);
                if (line != null) {
                    nexts.add(new Next(order.of(line), line));
                }
                below = byPriority.higherEntry(last(from.priority()));
            }
            return !nexts.isEmpty();
        }

        /** With all that waiting may add to its priority. */
        private boolean mayComeNext(Line line) {
            var next = nexts.peek();
            long most = line.priority() + (long) order.priorities().agingMost();
            return next == null || most >= next.place().worth();
        }

        private static Place last(int priority) {
            return new Place(priority, Long.MAX_VALUE);
        }

        @Override
        public Line next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            var line = nexts.remove().line();
            var following = byPriority.higherEntry(byPriority(line));
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
            int priority = from.priority();
            long low = from.ticket();
            long high = requireNonNull(byPriority.floorKey(last(priority))).ticket();
            if (order.of(at(priority, high)).compareTo(place) <= 0) {
                return null;
            }
            while (low < high) {
                long middle = low + (high - low) / 2;
                var line = at(priority, middle);
                if (order.of(line).compareTo(place) > 0) {
                    high = middle;
                } else {
                    low = line.ticket() + 1;
                }
            }
            return at(priority, low);
        }

        /** The first of a priority whose ticket is not smaller, of which there must be one. */
        private Line at(int priority, long ticket) {
            return requireNonNull(byPriority.ceilingEntry(new Place(priority, ticket))).getValue();
        }
    }
}
