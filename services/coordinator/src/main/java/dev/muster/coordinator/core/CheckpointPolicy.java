package dev.muster.coordinator.core;

import java.time.Duration;

/**
 * How a job is asked to save how far it has come before a change that nobody is forced to.
 *
 * @param file true: by a file in its pods; else by its events alone
 * @param timeout how long its answer is waited for
 */
public record CheckpointPolicy(boolean file, Duration timeout) {}
