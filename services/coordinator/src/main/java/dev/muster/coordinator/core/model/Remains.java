package dev.muster.coordinator.core.model;

/** What is left of an ended job in Kubernetes. */
public enum Remains {
    /** Whatever its cleanup policy keeps, until its TTL passes. */
    KEPT,
    /** Everything is being deleted. */
    LEAVING,
    /** The watcher saw the last pod gone; pod-manager's second word is asked for. */
    CONFIRMING,
    /** Nothing, by two witnesses, or because nothing was ever ordered. */
    GONE
}
