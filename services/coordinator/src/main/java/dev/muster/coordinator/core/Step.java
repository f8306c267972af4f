package dev.muster.coordinator.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the pool did about one event.
 *
 * @param changes of its rows, each key once
 * @param effects to publish, in order, at most a few hundred
 * @param more work is left: {@code TimePassed} is to be appended at once
 */
public record Step(List<Change> changes, List<Effect> effects, boolean more) {
    /**
     * @param row its new content; null: it is deleted
     */
    public record Change(Row.Key key, @Nullable Row row) {}
}
