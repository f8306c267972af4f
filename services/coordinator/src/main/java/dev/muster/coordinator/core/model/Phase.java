package dev.muster.coordinator.core.model;

/** Phases of a job as users see them; the last four are absorbing. */
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

    public boolean isEnd() {
        return compareTo(SUCCEEDED) >= 0;
    }
}
