package dev.muster.podmanager.core;

/** A place in the gang; at most one living pod has it. */
public record Rank(String role, int index) {
    /** The name of every pod that ever has this rank. */
    public String podName(JobName job) {
        return job.name() + "-" + role + "-" + index;
    }
}
