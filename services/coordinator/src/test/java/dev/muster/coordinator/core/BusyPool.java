package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Selector;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Two nodes that others use wholly or not at all, and what is asked of the jobs that wait. */
final class BusyPool {
    final Play play = Play.withNodes(4, 4);

    void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }

    void change(JobId id, Change change) {
        play.on(new Event.ChangeAsked(id, change, null));
    }

    void all(Change change) {
        play.on(new Event.BulkAsked(new Selector(null, null, new TreeMap<>()), change, null));
    }

    /** The whole pool is used by others. */
    void fill() {
        others(4);
    }

    void empty() {
        others(0);
    }

    private void others(long cores) {
        var use = cores == 0 ? Amounts.NONE : Amounts.of(Map.of("cpu", cores * 1000));
        play.on(new Event.OthersUse(WATCHER, "node-0", use));
        play.on(new Event.OthersUse(WATCHER, "node-1", use));
    }

    void gone(JobId id, long version) {
        play.on(new Event.PlanApplied(id, version, false, List.of()));
        play.on(new Event.PlanApplied(id, play.job(id).fences().plan(), true, List.of()));
    }
}
