package dev.muster.coordinator.core.placement;

import java.util.Arrays;

/**
 * How many pods each room takes, in a byte each as long as no room takes more than that holds:
 * there are many kinds of pods, and a node runs some hundred pods.
 */
final class Slots {
    private static final int MOST = 255;

    private byte[] few = {};

    /** Instead of those, once a room takes more. */
    private int[] many = {};

    private boolean isWide;

    int count() {
        return isWide ? many.length : few.length;
    }

    void grow(int count) {
        if (isWide) {
            many = Arrays.copyOf(many, count);
        } else {
            few = Arrays.copyOf(few, count);
        }
    }

    int get(int room) {
        return isWide ? many[room] : few[room] & MOST;
    }

    void set(int room, int slots) {
        if (slots > MOST && !isWide) {
            many = new int[few.length];
            Arrays.setAll(many, this::get);
            few = new byte[0];
            isWide = true;
        }
        if (isWide) {
            many[room] = slots;
        } else {
            few[room] = (byte) slots;
        }
    }
}
