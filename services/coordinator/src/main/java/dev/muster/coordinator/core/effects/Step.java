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
 * @param stays how often an event meant nothing for a job, by why
 * @param more work is left: {@code TimePassed} is to be appended at once
 */
public record Step(
        List<Change> changes,
        List<Effect> effects,
        SortedMap<Decision.Why, Integer> stays,
        boolean more) {
    public Step {
        stays = Collections.unmodifiableSortedMap(stays);
    }

    /**
     * @param row its new content; null: it is deleted
     */
    public record Change(Row.Key key, @Nullable Row row) {}
}
