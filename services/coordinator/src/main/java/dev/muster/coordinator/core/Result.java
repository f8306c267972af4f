package dev.muster.coordinator.core;

/**
 * What became of a change of one job.
 *
 * @param phase the job's, then
 */
record Result(Outcome outcome, Phase phase, String message) {}
