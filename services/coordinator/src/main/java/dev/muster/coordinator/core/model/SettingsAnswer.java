package dev.muster.coordinator.core.model;

import org.jspecify.annotations.Nullable;

/**
 * What was answered to who set a queue or the pool, for who asks again.
 *
 * @param tick at which it came
 * @param fault what was wrong with the request; null: nothing, or no field of it
 */
public record SettingsAnswer(
        long tick,
        Asked asked,
        Event.Request request,
        Outcome outcome,
        String message,
        @Nullable Fault fault)
        implements Row {
    /** Queues and pools may have the same name, and so the same key. */
    public enum Asked {
        QUEUE_PUT,
        QUEUE_CHANGE,
        QUEUE_DELETE,
        POOL_PUT,
        POOL_CHANGE
    }

    @Override
    public Key key() {
        return new Key(Table.ANSWER, Long.toString(tick));
    }
}
