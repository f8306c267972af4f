package dev.muster.coordinator.core;

/** What a question counts on: what is free now, or the pool as if none of our jobs ran. */
enum View {
    NOW,
    EMPTY
}
