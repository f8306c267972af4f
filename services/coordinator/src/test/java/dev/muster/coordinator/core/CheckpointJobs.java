package dev.muster.coordinator.core;

import dev.muster.coordinator.core.model.CheckpointPolicy;
import dev.muster.coordinator.core.model.JobSpec;
import java.time.Duration;

/** Jobs that are asked to save before they are changed. */
final class CheckpointJobs {
    static final Duration TIMEOUT = Duration.ofMinutes(2);

    private CheckpointJobs() {}

    /** The same job, whose pods have a file that says what it is asked. */
    static JobSpec byFile(JobSpec spec) {
        return asked(new CheckpointPolicy(true, TIMEOUT), spec);
    }

    /** The same job, which is asked so. */
    static JobSpec asked(CheckpointPolicy policy, JobSpec spec) {
        return AnotherWork.of(spec, work -> work.checkpoint = policy);
    }
}
