package dev.muster.coordinator.core.model;

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

    /**
     * What is seen of a rank's pod, where nothing was seen to end it before.
     *
     * @param wasDeleting it was on its way out when it was seen last
     */
    public static RankState of(Event.Pod pod, JobSpec.Role role, boolean wasDeleting) {
        var state = of(pod, role);
        // It was told to end: that it did so well says nothing of its work.
        boolean wasNotDone = state == SUCCEEDED && Failure.isToldToEnd(pod, wasDeleting);
        return wasNotDone ? FAILED : state;
    }

    /** As far as its pod is the job's own. */
    public static RankState of(Event.Pod pod, JobSpec.Role role) {
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

    /** Neither has it ended well, nor was it judged that it has not. */
    public boolean isUnjudged() {
        return this == FAILED || !hasEnded();
    }

    public boolean hasEnded() {
        return switch (this) {
            case ORDERED, PENDING, RUNNING -> false;
            case SUCCEEDED, FAILED, RETURNING, IGNORED -> true;
        };
    }
}
