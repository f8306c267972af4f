package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Event;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The changes of many jobs that are under way, and the last ones that are done. */
public final class BulkMemory {
    private final SortedMap<Long, Bulk> underWay = new TreeMap<>();
    private final LastAnswers<Bulk> over = new LastAnswers<>();

    void put(Bulk bulk) {
        remove(bulk);
        if (bulk.over()) {
            over.put(bulk.tick(), bulk);
        } else {
            underWay.put(bulk.tick(), bulk);
        }
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
        return over.superfluous();
    }

    /** What was asked for by this request before: it is done, since it goes before what comes. */
    public @Nullable Bulk of(Event.Request request) {
        return over.to(bulk -> request.equals(bulk.request()));
    }
}
