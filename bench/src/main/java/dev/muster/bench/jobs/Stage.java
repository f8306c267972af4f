package dev.muster.bench.jobs;

/** How far a job was heard to have come. */
public enum Stage {
    /** Accepted, and waiting for its turn. */
    QUEUED,
    /** The plan that makes its pods is published. */
    PLANNED,
    RUNNING,
    SUCCEEDED
}
