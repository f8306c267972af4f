package dev.muster.coordinator.core.effects;

import dev.muster.coordinator.core.model.Decision;
import dev.muster.coordinator.core.model.Row;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What the pool did about one event.
 *
 * @param changes of its rows, each key once
 * @param effects to publish, in order, at most a few hundred
 * @param own which of them came of the event itself
 * @param askers by index, who asked for the change of many jobs that a move came of
 * @param stays how often an event meant nothing for a job, by why
 * @param more work is left: {@code TimePassed} is to be appended at once
 */
public record Step(
        List<Change> changes,
        List<Effect> effects,
        Own own,
        SortedMap<Integer, String> askers,
        SortedMap<Decision.Why, Integer> stays,
        boolean more) {
    public Step {
        askers = Collections.unmodifiableSortedMap(askers);
        stays = Collections.unmodifiableSortedMap(stays);
    }

    /**
     * Some of a step's effects. Others are of deadlines that had come, of turns, and of events that
     * had to wait.
     *
     * @param from the first of them, counted from 0
     * @param to the one after the last of them
     */
    public record Own(int from, int to) {
        public static final Own NONE = new Own(0, 0);

        public boolean has(int index) {
            return from <= index && index < to;
        }
    }

    /**
     * @param row its new content; null: it is deleted
     */
    public record Change(Row.Key key, @Nullable Row row) {}
}
