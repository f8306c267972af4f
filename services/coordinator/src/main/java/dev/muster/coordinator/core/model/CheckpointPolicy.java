package dev.muster.coordinator.core.model;

import dev.muster.schemas.contract.Limits;
import java.time.Duration;

/**
 * How a job is asked to save how far it has come before a change that nobody is forced to.
 *
 * @param file true: by a file in its pods; else by its events alone
 * @param timeout how long its answer is waited for
 */
public record CheckpointPolicy(boolean file, Duration timeout) {
    /**
     * Whatever was accepted, an answer is waited for at least a second, and no longer than an hour.
     */
    public static CheckpointPolicy within(boolean file, long timeoutMillis) {
        long millis =
                Math.clamp(
                        timeoutMillis,
                        Limits.LEAST_TIMEOUT.toMillis(),
                        Limits.MOST_TIMEOUT.toMillis());
        return new CheckpointPolicy(file, Duration.ofMillis(millis));
    }
}
