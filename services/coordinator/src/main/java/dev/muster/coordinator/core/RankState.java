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

    /** What is seen of a rank's pod, where nothing was seen to end it before. */
    static RankState of(Event.Pod pod, JobSpec.Role role) {
        boolean kubeletRestarts = role.restart() == JobSpec.Restart.ON_FAILURE;
        var main = pod.main();
        if (main != null && (main.exitCode() == 0 || !kubeletRestarts)) {
            return main.exitCode() == 0 ? SUCCEEDED : FAILED;
        }
        return switch (pod.phase()) {
            case PENDING -> PENDING;
            case RUNNING -> RUNNING;
            case SUCCEEDED -> SUCCEEDED;
            case FAILED -> FAILED;
        };
    }

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
