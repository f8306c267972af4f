package dev.muster.admission.core;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an operator asks of queues and pools. */
public sealed interface SettingsRequest {
    /** Of the queue or pool. */
    String name();

    /**
     * @param waitsUntil how long it may wait for its pool to appear
     */
    record PutQueue(String name, String pool, int weight, int maxWaiting, Instant waitsUntil)
            implements SettingsRequest {}

    record DeleteQueue(String name, Instant waitsUntil) implements SettingsRequest {}

    /**
     * @param number its inbox partition; null: the lowest free one
     * @param backendKnown false: the request names a backend of a later release
     */
    record PutPool(
            String name,
            @Nullable Integer number,
            Map<String, String> nodeSelector,
            boolean backendKnown)
            implements SettingsRequest {
        public PutPool {
            nodeSelector = Ordered.copy(nodeSelector);
        }
    }
}
