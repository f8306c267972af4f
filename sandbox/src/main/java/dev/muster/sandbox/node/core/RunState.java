package dev.muster.sandbox.node.core;

import java.time.Instant;

/** Where one container stands. A state holds the facts it needs and no others. */
public sealed interface RunState {
    /**
     * Not started.
     *
     * @param reason why it could not be, in Kubernetes' word; empty while it is merely its turn
     * @param retryAt before then it is not tried again
     */
    record Waiting(String reason, String message, Instant retryAt) implements RunState {
        static final Waiting TURN = new Waiting("", "", Instant.EPOCH);
    }

    /** Its process lives, or lived when it was last looked at. */
    record Running(Instant startedAt) implements RunState {}

    /**
     * Its process is over.
     *
     * @param exitCode 128 + n after signal n
     * @param reason Completed, Error, StartError or ContainerStatusUnknown
     */
    record Ended(int exitCode, String reason, String message, Instant startedAt, Instant finishedAt)
            implements RunState {}
}
