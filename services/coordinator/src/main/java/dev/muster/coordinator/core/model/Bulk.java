package dev.muster.coordinator.core.model;

import org.jspecify.annotations.Nullable;

/**
 * A change of many jobs that is under way, or its answer.
 *
 * @param tick at which it came: it means the jobs that came before
 * @param by who asked; null: it is not known
 * @param done ticket of the last job that was looked at
 * @param counts so far
 * @param over it is done; its counts are remembered for who asks again
 */
public record Bulk(
        long tick,
        Selector selector,
        Change change,
        Event.@Nullable Request request,
        @Nullable String by,
        long done,
        Counts counts,
        boolean over)
        implements Row {
    /**
     * One that is under way from now on.
     *
     * @param nodes against which the pool holds nothing any more
     */
    public static Bulk of(long tick, Event.BulkAsked asked, int nodes) {
        return new Bulk(
                tick,
                asked.selector(),
                asked.change(),
                asked.request(),
                asked.by(),
                -1,
                new Counts(0, 0, nodes),
                false);
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
        return new Bulk(tick, selector, change, request, by, ticket, counts, false);
    }

    public Bulk finished() {
        return new Bulk(tick, selector, change, request, by, done, counts, true);
    }

    @Override
    public Key key() {
        return new Key(Table.BULK, Long.toString(tick));
    }
}
