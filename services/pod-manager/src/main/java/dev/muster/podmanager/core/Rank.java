package dev.muster.podmanager.core;

import dev.muster.schemas.contract.LabelNames;
import dev.muster.schemas.contract.PodNames;

/** A place in the gang; at most one living pod has it. */
public record Rank(String role, int index) {
    /** The role that starts the processes of the others. */
    static final String LAUNCHER = "launcher";

    /** Not in the gang: where the hook of a command runs. */
    static final Rank HOOK = new Rank(LabelNames.HOOK, 0);

    boolean isLauncher() {
        return role.equals(LAUNCHER);
    }

    /** By which the other pods of the job find it. */
    String hostName(JobName job) {
        return podName(job) + "." + job.name();
    }

    /** The name of every pod that ever has this rank. */
    public String podName(JobName job) {
        return PodNames.of(job.name(), role, index);
    }
}
