package dev.muster.coordinator.core.placement;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Which rooms changed, newest last, for those who keep something per room and catch up at times.
 */
final class Changes {
    static final long NEVER = -1;
    private static final int KEPT = 4096;

    private static final int FIRST = 64;

    /** Grows to what is kept at most: in a small pool few are ever used. */
    private int[] rooms = new int[FIRST];

    private long count;
    private long looked;

    void add(int room) {
        if (count == rooms.length && count < KEPT) {
            rooms = Arrays.copyOf(rooms, rooms.length * 2);
        }
        rooms[(int) (count++ % rooms.length)] = room;
    }

    /** How many there were ever: while it stays nothing changes. */
    long count() {
        return count;
    }

    /** At how many rooms all have looked ever. */
    long looked() {
        return looked;
    }

    /**
     * Looks at every room that changed since then or, where that is not known any more or would be
     * more work, at every room there is.
     *
     * @param since what the last call returned; {@link #NEVER}: nothing was looked at yet
     */
    long catchUp(long since, int ofRooms, IntConsumer look) {
        if (since >= 0 && count - since <= Math.min(KEPT, ofRooms)) {
            looked += count - since;
            for (long i = since; i < count; i++) {
                look.accept(rooms[(int) (i % rooms.length)]);
            }
        } else {
            looked += ofRooms;
            for (int room = 0; room < ofRooms; room++) {
                look.accept(room);
            }
        }
        return count;
    }
}
