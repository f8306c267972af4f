package dev.muster.podmanager.core;

/** What kinds of objects a plan makes. */
public enum Kind {
    POD,
    SERVICE
}
