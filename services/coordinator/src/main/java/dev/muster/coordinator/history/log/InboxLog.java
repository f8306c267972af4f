package dev.muster.coordinator.history.log;

import java.time.Instant;
import java.util.Iterator;

/** One pool's inbox, as far as it is kept. */
public interface InboxLog extends AutoCloseable {
    /** The pool's number. */
    int partition();

    /** The offset of the first record that is kept. */
    long first();

    /** Behind the last record that was there when this was opened. */
    long end();

    /**
     * Behind the last record that was appended by then. Later ones may lie before it: the broker's
     * clock may have been ahead, and was set right.
     */
    long upTo(Instant time);

    /** The first record that was not appended before; the end where there is none. */
    long since(Instant time);

    /**
     * The records in their order, up to {@link #end}. One walk at a time.
     *
     * @param from offset of the first one
     */
    default Iterator<InboxRecord> from(long from) {
        return between(from, end());
    }

    /**
     * The same.
     *
     * @param before none from this offset on
     */
    Iterator<InboxRecord> between(long from, long before);

    @Override
    void close();
}
