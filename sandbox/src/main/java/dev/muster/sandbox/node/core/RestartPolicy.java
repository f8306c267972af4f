package dev.muster.sandbox.node.core;

/** When a container that ended is started again in its pod. */
public enum RestartPolicy {
    ALWAYS,
    ON_FAILURE,
    NEVER;

    static RestartPolicy of(String kubernetes) {
        return switch (kubernetes) {
            case "Never" -> NEVER;
            case "OnFailure" -> ON_FAILURE;
            default -> ALWAYS;
        };
    }

    boolean restarts(int exitCode) {
        return this == ALWAYS || (this == ON_FAILURE && exitCode != 0);
    }
}
