package dev.muster.coordinator.core;

import org.jspecify.annotations.Nullable;

/**
 * A change of many jobs that is under way.
 *
 * @param tick at which it came: it means the jobs that came before
 * @param done ticket of the last job that was looked at
 * @param counts so far
 */
public record Bulk(
        long tick,
        Selector selector,
        Change change,
        Event.@Nullable Request request,
        long done,
        Counts counts)
        implements Row {
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

    Bulk after(long ticket, Counts counts) {
        return new Bulk(tick, selector, change, request, ticket, counts);
    }

    @Override
    public Key key() {
        return new Key(Table.BULK, Long.toString(tick));
    }
}
