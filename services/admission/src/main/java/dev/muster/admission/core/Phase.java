package dev.muster.admission.core;

/** Where a submission stands, as job-status shows it. */
public enum Phase {
    SUSPENDED,
    QUEUED,
    STARTING,
    RUNNING,
    RESTARTING,
    STOPPING,
    SUCCEEDED,
    FAILED,
    CANCELLED,
    REFUSED;

    /** True of the phases that nothing leads out of. */
    public boolean ended() {
        return switch (this) {
            case SUCCEEDED, FAILED, CANCELLED, REFUSED -> true;
            case SUSPENDED, QUEUED, STARTING, RUNNING, RESTARTING, STOPPING -> false;
        };
    }
}
