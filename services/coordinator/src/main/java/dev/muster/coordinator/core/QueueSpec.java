package dev.muster.coordinator.core;

/**
 * All that an operator sets of a queue.
 *
 * @param weight share of the turns, 1 to 1,000,000
 * @param paused no new starts
 * @param backfill smaller jobs pass a head that cannot start
 * @param maxWaiting how many jobs may wait
 */
public record QueueSpec(int weight, boolean paused, boolean backfill, int maxWaiting) {}
