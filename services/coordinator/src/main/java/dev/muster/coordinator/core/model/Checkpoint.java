package dev.muster.coordinator.core.model;

import java.time.Instant;

/**
 * What a job was asked last before a change that nobody is forced to: to save how far it has come.
 *
 * @param id the job's event that told of it first: no other ask of the job has it
 * @param attempt whose processes were asked
 * @param purpose one sentence for people: what is to come
 * @param until its answer is waited for
 * @param message what became of it, one sentence; empty: there is nothing to say
 * @param since when it came to this stage
 */
public record Checkpoint(
        long id,
        int attempt,
        String purpose,
        Instant until,
        Stage stage,
        String message,
        Instant since) {

    /** How far it has come; all but the first are ends, of which it has exactly one. */
    public enum Stage {
        ASKED,
        SAVED,
        /** The job said that it could not. */
        FAILED,
        TIMED_OUT,
        /** What it was asked for has come otherwise, or will not come. */
        WITHDRAWN
    }

    public boolean isOpen() {
        return stage == Stage.ASKED;
    }

    public Checkpoint at(Stage next, String message, Instant now) {
        return new Checkpoint(id, attempt, purpose, until, next, message, now);
    }
}
