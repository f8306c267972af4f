package dev.muster.coordinator.core.placement;

/** What a question counts on: what is free now, or the pool as if none of our jobs ran. */
public enum View {
    NOW,
    EMPTY
}
