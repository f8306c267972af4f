package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;

/**
 * What became of a change of one job.
 *
 * @param phase the job's, then
 */
public record Result(Outcome outcome, Phase phase, String message) {}
