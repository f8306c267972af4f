package dev.muster.coordinator.core.model;

import org.jspecify.annotations.Nullable;

/**
 * A change of many jobs that is under way, or its answer.
 *
 * @param tick at which it came: it means the jobs that came before
 * @param done ticket of the last job that was looked at
 * @param counts so far
 * @param over it is done; its counts are remembered for who asks again
 */
public record Bulk(
        long tick,
        Selector selector,
        Change change,
        Event.@Nullable Request request,
        long done,
        Counts counts,
        boolean over)
        implements Row {
    /** One that is under way. */
    public Bulk(
            long tick,
            Selector selector,
            Change change,
            Event.@Nullable Request request,
            long done,
            Counts counts) {
        this(tick, selector, change, request, done, counts, false);
    }

    /**
     * How many jobs matched, and how many of those were changed.
     *
     * @param nodes against which the pool holds nothing any more
     */
    public record Counts(int meant, int changed, int nodes) {
        /** Of jobs alone. */
        public Counts(int meant, int changed) {
            this(meant, changed, 0);
        }
    }

    public Bulk after(long ticket, Counts counts) {
        return new Bulk(tick, selector, change, request, ticket, counts);
    }

    public Bulk finished() {
        return new Bulk(tick, selector, change, request, done, counts, true);
    }

    @Override
    public Key key() {
        return new Key(Table.BULK, Long.toString(tick));
    }
}
