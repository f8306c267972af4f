package dev.muster.coordinator.core.model;

/** What a requester is told. */
public enum Outcome {
    ACCEPTED,
    REFUSED,
    CONFLICT,
    NOT_FOUND,
    ENDED,
    /** A change of many jobs, with counts. */
    DONE
}
