package dev.muster.sandbox.node.core;

/**
 * The memory of a readiness probe: it changes its mind only after so many equal answers in a row.
 *
 * @param inRow how many of the last answers were equal
 * @param answer what they were
 */
public record Readiness(boolean ready, int inRow, boolean answer) {
    public static final Readiness UNASKED = new Readiness(false, 0, false);

    /** What stands after one more answer. */
    public Readiness answered(boolean now, int successThreshold, int failureThreshold) {
        int row = now == answer ? inRow + 1 : 1;
        boolean enough = row >= (now ? successThreshold : failureThreshold);
        return new Readiness(enough ? now : ready, row, now);
    }
}
