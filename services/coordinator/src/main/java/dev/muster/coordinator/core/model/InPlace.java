package dev.muster.coordinator.core.model;

/** How far a container has come that is to start again in its pod. */
public enum InPlace {
    /** It is to, once its delay is over. */
    WANTED,
    /** The kubelet has started it again by itself. */
    DONE,
    /** It was asked for and not seen yet. */
    ASKED
}
