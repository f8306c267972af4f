package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Waiting;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was too much for the steps before: events that wait. */
public final class Undone {
    private final SortedMap<Long, Waiting> waiting = new TreeMap<>();

    void put(Waiting event) {
        waiting.put(event.tick(), event);
    }

    void remove(Waiting event) {
        waiting.remove(event.tick());
    }

    /** The oldest event that waits. */
    public @Nullable Waiting firstWaiting() {
        return waiting.isEmpty() ? null : waiting.firstEntry().getValue();
    }
}
