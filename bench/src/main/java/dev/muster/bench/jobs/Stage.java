package dev.muster.bench.jobs;

/** How far a job was heard to have come. */
public enum Stage {
    /** The plan that makes its pods is published. */
    PLANNED,
    RUNNING,
    SUCCEEDED
}
