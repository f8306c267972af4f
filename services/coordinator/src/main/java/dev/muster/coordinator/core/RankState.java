package dev.muster.coordinator.core;

/** How far one rank has come. */
public enum RankState {
    /** Ordered; its pod was not seen yet. */
    ORDERED,
    /** Its pod is there and does not run. */
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    /** It failed, and its pod is to be made again. */
    RETURNING,
    /** It failed, and its policy says that this is an end like any other. */
    IGNORED;

    /** Not yet judged, or judged to be none. */
    boolean isFailure() {
        return this == FAILED || this == IGNORED;
    }

    boolean hasEnded() {
        return switch (this) {
            case ORDERED, PENDING, RUNNING -> false;
            case SUCCEEDED, FAILED, RETURNING, IGNORED -> true;
        };
    }
}
