package dev.muster.coordinator.history.log;

import org.apache.kafka.common.TopicPartition;

/**
 * Finds the last record that was appended by a moment in a part of the inbox that begins with a
 * later one, where the broker's clock may have been set back.
 *
 * <p>Only a clock that was ahead by more than the time for which it was so hides a record. So it is
 * enough to look at ever fewer records the farther the beginning is: where one is earlier than the
 * one before, all in between are read. So they are where one is much later than the pace until
 * there would have it: behind a burst a step in records is a long one in time.
 */
final class LastAppended {
    /** So many records are read at the beginning, where something was set back, and at the end. */
    private static final int WHOLE = 2_000;

    /** Of the way from the beginning, so much is left out between the others. */
    private static final int PART = 16;

    /** In milliseconds; records may come so unevenly that less says nothing. */
    private static final long UNEVEN = 60_000;

    private final TopicReader all;
    private final TopicReader some;
    private final TopicPartition partition;
    private final long time;
    private long behind;

    /**
     * @param some reads a record or two at a time
     * @param time in milliseconds
     */
    LastAppended(TopicReader all, TopicReader some, TopicPartition partition, long time) {
        this.all = all;
        this.some = some;
        this.partition = partition;
        this.time = time;
    }

    /** What is to be read in full; none is left where it begins with the end. */
    private record Part(long from, long until) {}

    /** How far it was read, and when the first and the last of that were appended. */
    private record Seen(long next, long earliest, long latest) {}

    /**
     * Behind the last one that is not later; the first offset where all are.
     *
     * @param last none from this offset on is looked at
     */
    long behind(long first, long last) {
        behind = first;
        var part = new Part(first, first + WHOLE);
        while (part.from() < last) {
            part = skim(part.from(), read(part, last), last);
        }
        return behind;
    }

    /** Ends with one that is later. */
    private Seen read(Part part, long last) {
        long latest = Long.MIN_VALUE;
        long earliest = Long.MAX_VALUE;
        for (var records = all.read(partition, part.from(), last); records.hasNext(); ) {
            var in = records.next();
            long next = in.offset() + 1;
            latest = in.timestamp();
            earliest = Math.min(earliest, latest);
            if (latest <= time) {
                behind = next;
            } else if (next >= part.until()) {
                return new Seen(next, earliest, latest);
            }
        }
        return new Seen(last, earliest, latest);
    }

    private Part skim(long began, Seen seen, long last) {
        long next = seen.next();
        long latest = seen.latest();
        while (next < last - WHOLE) {
            long at = Math.min(next + (next - began) / PART, last - WHOLE);
            var records = some.read(partition, at, last);
            if (!records.hasNext()) {
                break;
            }
            var in = records.next();
            long pace = (latest - seen.earliest()) / PART;
            long step = in.timestamp() - latest;
            if (step < 0 || step > Math.max(2 * pace, UNEVEN)) {
                return new Part(next, in.offset() + WHOLE);
            }
            next = in.offset() + 1;
            latest = in.timestamp();
        }
        return new Part(next, last);
    }
}
