package dev.muster.coordinator.core.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far has been looked through what no round looks at as a whole: lines that stand behind the
 * first ones of their queues, jobs that have nodes to leave, and gangs that may start with several
 * mixes of roles.
 *
 * @param queue that is being looked through; null: nothing is left to be looked at
 * @param after the last place there that was looked at; null: none yet
 * @param at as of when its lines are ordered
 * @param from the queue that was the first
 * @param again something changed meanwhile: all of it once more
 * @param served the queue of which something was found last; the next time those after it are first
 * @param leaver the job for which a place elsewhere was looked for last; the next time those after
 *     it are first; null: as many as there are were looked at each time
 * @param mixes how far gangs were given other mixes of roles; null: none is left
 */
public record Sweep(
        @Nullable String queue,
        @Nullable Place after,
        Instant at,
        String from,
        boolean again,
        String served,
        @Nullable String leaver,
        @Nullable Mixes mixes)
        implements Row {
    /**
     * How far has been looked through gangs that may start with several mixes of roles.
     *
     * @param after the ticket of the last one that was looked at
     * @param again something changed meanwhile: all of them once more
     */
    public record Mixes(long after, boolean again) {}

    /**
     * Where a job stands, or a line by its head: the first is worth most, and equal ones stand as
     * they came.
     *
     * @param since when it came in line; null: that does not count, only when it was submitted
     */
    public record Place(long worth, @Nullable Instant since, long ticket)
            implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            if (worth != other.worth) {
                return worth > other.worth ? -1 : 1;
            }
            int bySince = bySince(other);
            return bySince == 0 ? Long.compare(ticket, other.ticket) : bySince;
        }

        private int bySince(Place other) {
            if (since == null || other.since == null) {
                return Boolean.compare(since != null, other.since != null);
            }
            return since.compareTo(other.since);
        }
    }

    /** Nothing was ever left over. */
    public static final Sweep NONE =
            new Sweep(null, null, Instant.EPOCH, "", false, "", null, null);

    public Sweep from(String first, Instant now) {
        return new Sweep(first, null, now, first, false, served, leaver, mixes);
    }

    public Sweep after(Place place) {
        return new Sweep(queue, place, at, from, again, served, leaver, mixes);
    }

    public Sweep in(String next) {
        return new Sweep(next, null, at, from, again, served, leaver, mixes);
    }

    public Sweep onceMore() {
        return new Sweep(queue, after, at, from, true, served, leaver, mixes);
    }

    public Sweep serving(String name) {
        return new Sweep(queue, after, at, from, again, name, leaver, mixes);
    }

    public Sweep leaving(String job) {
        return new Sweep(queue, after, at, from, again, served, job, mixes);
    }

    public Sweep mixing(@Nullable Mixes next) {
        return new Sweep(queue, after, at, from, again, served, leaver, next);
    }

    public Sweep over() {
        return new Sweep(null, null, at, from, false, served, leaver, mixes);
    }

    @Override
    public Key key() {
        return new Key(Table.SWEEP, "");
    }
}
