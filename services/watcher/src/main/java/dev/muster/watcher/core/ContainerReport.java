package dev.muster.watcher.core;

import org.jspecify.annotations.Nullable;

/**
 * One container as the kubelet reports it.
 *
 * @param exitCode of a terminated container, else null; so is {@code signal}
 * @param lastExitCode of the run before this one, where the kubelet restarted it
 */
public record ContainerReport(
        String name,
        State state,
        boolean ready,
        int restartCount,
        @Nullable Integer exitCode,
        @Nullable Integer signal,
        String reason,
        String message,
        @Nullable Integer lastExitCode,
        String lastReason) {

    /** What a container does. */
    public enum State {
        WAITING,
        RUNNING,
        TERMINATED
    }
}
