package dev.muster.coordinator.core.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How fast a job trained for a while, by its own word.
 *
 * @param attempt in which it was measured; null: it did not say
 * @param incarnation of the pod that measured; null: it did not say
 * @param workers how many pods took part; null: it did not say
 * @param samples how many are summed up
 * @param span from the first of them to the last
 * @param step the latest
 * @param speed their median: samples a second or, of a job that does not count samples, steps a
 *     second; in millionths
 */
public record Digest(
        @Nullable Integer attempt,
        @Nullable Integer incarnation,
        @Nullable Integer workers,
        int samples,
        Duration span,
        long step,
        long speed) {}
