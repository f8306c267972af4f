package dev.muster.coordinator.core.model;

/**
 * Pods of a role whose indices follow each other.
 *
 * @param end the index after the last
 */
public record RankRange(String role, int first, int end) {
    /** Of every index from there on. */
    public static final int OPEN = Integer.MAX_VALUE;
}
