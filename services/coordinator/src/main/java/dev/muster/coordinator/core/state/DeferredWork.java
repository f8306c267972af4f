package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.UntoldEnd;
import dev.muster.coordinator.core.model.Waiting;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was too much for the steps before: events that wait, and ends that are to be told. */
public final class DeferredWork {
    private final SortedMap<Long, Waiting> waiting = new TreeMap<>();
    private final SortedMap<JobId, UntoldEnd> untold = new TreeMap<>();

    void put(Waiting event) {
        waiting.put(event.tick(), event);
    }

    void remove(Waiting event) {
        waiting.remove(event.tick());
    }

    void put(UntoldEnd end) {
        untold.put(end.job(), end);
    }

    void remove(UntoldEnd end) {
        untold.remove(end.job());
    }

    /** The oldest event that waits. */
    public @Nullable Waiting firstWaiting() {
        return waiting.isEmpty() ? null : waiting.firstEntry().getValue();
    }

    /** An end of which not all have heard that wait for it; null: there is none. */
    public @Nullable UntoldEnd firstUntold() {
        return untold.isEmpty() ? null : untold.firstEntry().getValue();
    }
}
