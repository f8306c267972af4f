package dev.muster.coordinator.core;

/**
 * Which rooms changed, newest last, for those who keep something per room and catch up at times.
 */
final class Changes {
    private static final int KEPT = 4096;

    private final int[] rooms = new int[KEPT];
    private long count;

    void add(int room) {
        rooms[(int) (count++ % KEPT)] = room;
    }

    /** How many there were ever: while it stays nothing changes. */
    long count() {
        return count;
    }

    /** Whether going through all since then is possible, and less than looking at every room. */
    boolean reachBackTo(long since, int ofRooms) {
        return count - since <= Math.min(KEPT, ofRooms);
    }

    int at(long place) {
        return rooms[(int) (place % KEPT)];
    }
}
