package dev.muster.coordinator.history;

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
     * The records in their order, up to {@link #end}. One walk at a time.
     *
     * @param from offset of the first one
     */
    Iterator<InboxRecord> from(long from);

    @Override
    void close();
}
