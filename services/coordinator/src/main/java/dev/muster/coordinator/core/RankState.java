package dev.muster.coordinator.core;

/** How far one rank has come. */
public enum RankState {
    /** Ordered; its pod was not seen yet. */
    ORDERED,
    /** Its pod is there and does not run. */
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED;

    boolean hasEnded() {
        return this == SUCCEEDED || this == FAILED;
    }
}
