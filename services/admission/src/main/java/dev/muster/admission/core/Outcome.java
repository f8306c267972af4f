package dev.muster.admission.core;

/** What a request is answered. */
public enum Outcome {
    ACCEPTED,
    DUPLICATE,
    CONFLICT,
    REFUSED,
    NOT_FOUND,
    ENDED
}
