package dev.muster.coordinator.core;

import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * How far the lines have been looked through that no round looks at, since they stand behind the
 * first ones of their queues.
 *
 * @param queue that is being looked through; null: nothing is left to be looked at
 * @param after the last place there that was looked at; null: none yet
 * @param at as of when its lines are ordered
 * @param from the queue that was the first
 * @param again something changed meanwhile: all of it once more
 * @param served the queue of which something was found last; the next time those after it are first
 */
public record Sweep(
        @Nullable String queue,
        @Nullable Place after,
        Instant at,
        String from,
        boolean again,
        String served)
        implements Row {
    /** Where a line stands: the first is worth most, and of equal ones its head is the oldest. */
    public record Place(long worth, long ticket) implements Comparable<Place> {
        private static final Comparator<Place> ORDER =
                Comparator.comparingLong(Place::worth).reversed().thenComparingLong(Place::ticket);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    static Sweep of(String queue, Instant at, String served) {
        return new Sweep(queue, null, at, queue, false, served);
    }

    Sweep after(Place place) {
        return new Sweep(queue, place, at, from, again, served);
    }

    Sweep in(String next) {
        return new Sweep(next, null, at, from, again, served);
    }

    Sweep onceMore() {
        return again ? this : new Sweep(queue, after, at, from, true, served);
    }

    Sweep serving(String name) {
        return new Sweep(queue, after, at, from, again, name);
    }

    Sweep over() {
        return new Sweep(null, null, at, from, false, served);
    }

    @Override
    public Key key() {
        return new Key(Table.SWEEP, "");
    }
}
