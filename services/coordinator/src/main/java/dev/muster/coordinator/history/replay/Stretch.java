package dev.muster.coordinator.history.replay;

import dev.muster.coordinator.history.log.InboxRecord;
import java.time.Instant;
import java.util.Iterator;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A part of a pool's log that can be walked as often as one likes.
 *
 * @param pool its name
 * @param begin makes a copy at the snapshot before it, or at the log's beginning
 * @param after the records that follow on a copy
 * @param from with the first record that is not earlier; null: where the copy begins
 */
public record Stretch(
        String pool,
        Supplier<PoolCopy> begin,
        Function<PoolCopy, Iterator<InboxRecord>> after,
        @Nullable Instant from) {
    /**
     * Shows the copy where the stretch begins, with null, then with each record that it took.
     *
     * @return at which record the pool cannot go on; null: there is none
     */
    public Finding.@Nullable NotTaken walk(BiConsumer<PoolCopy, Heard.@Nullable Taken> look) {
        var copy = begin.get();
        boolean begun = false;
        for (var records = after.apply(copy); records.hasNext(); ) {
            var in = records.next();
            boolean isMeant = begun || from == null || !in.appended().isBefore(from);
            if (isMeant && !begun) {
                look.accept(copy, null);
                begun = true;
            }
            switch (copy.take(in)) {
                case Heard.Taken taken when isMeant -> look.accept(copy, taken);
                case Heard.Taken _, Heard.Parked _ -> {}
                case Heard.Unusable unusable -> {
                    return unusable.finding();
                }
            }
        }
        return null;
    }
}
