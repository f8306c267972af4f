package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Event;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The changes of many jobs that are under way, and the last ones that are done. */
public final class BulkMemory {
    /** So many answers are remembered for who asks again. */
    public static final int KEPT = 32;

    private final SortedMap<Long, Bulk> underWay = new TreeMap<>();
    private final SortedMap<Long, Bulk> over = new TreeMap<>();

    void put(Bulk bulk) {
        remove(bulk);
        (bulk.over() ? over : underWay).put(bulk.tick(), bulk);
    }

    void remove(Bulk bulk) {
        underWay.remove(bulk.tick());
        over.remove(bulk.tick());
    }

    /** The oldest that is under way. */
    public @Nullable Bulk first() {
        return underWay.isEmpty() ? null : underWay.firstEntry().getValue();
    }

    /** What is to be forgotten; null: nothing. */
    public @Nullable Bulk superfluous() {
        return over.size() > KEPT ? over.firstEntry().getValue() : null;
    }

    /** What was asked for by this request before: it is done, since it goes before what comes. */
    public @Nullable Bulk of(Event.Request request) {
        for (var bulk : over.values()) {
            if (request.equals(bulk.request())) {
                return bulk;
            }
        }
        return null;
    }
}
