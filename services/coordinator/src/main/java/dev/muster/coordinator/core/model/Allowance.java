package dev.muster.coordinator.core.model;

import java.time.Duration;

/**
 * What one failure policy has allowed a job, and allows still.
 *
 * @param own restarts in all by the job's fault
 * @param infrastructure in all by the cluster's
 * @param ownCounted those that the window counts now
 * @param infrastructureCounted the same
 * @param next how long a restart would wait now
 */
public record Allowance(
        int own,
        int infrastructure,
        int ownCounted,
        int infrastructureCounted,
        FailurePolicy.Limits limits,
        Duration next) {}
