package dev.muster.coordinator.core.placement;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Consumer;

/** What each room that changed had when that was last asked, and has now. */
final class Peaks {
    private static final long[] NOTHING = {};

    private final Rooms rooms;
    private final View view;

    /** By room and resource, what there was at the last call. */
    private long[][] known = {};

    private long seen = Changes.NEVER;
    private long looksSeen = Changes.NEVER;

    /** Rooms that look different, while a call lasts. */
    private final BitSet looks = new BitSet();

    /**
     * A room at the last call and now.
     *
     * @param before by the resources' numbers, of each at least 0; there is nothing of those left
     *     out
     * @param now the same
     * @param looksNew others may be accepted there than before
     */
    record Change(int room, long[] before, long[] now, boolean looksNew) {
        /** Of each resource the most there was. */
        long[] most() {
            var most = Arrays.copyOf(now, Math.max(now.length, before.length));
            for (int i = 0; i < before.length; i++) {
                most[i] = Math.max(most[i], before[i]);
            }
            return most;
        }
    }

    Peaks(Rooms rooms, View view) {
        this.rooms = rooms;
        this.view = view;
    }

    /**
     * @param each is given every room that changed since the last call
     */
    void catchUp(Consumer<Change> each) {
        int before = known.length;
        if (before < rooms.count()) {
            known = Arrays.copyOf(known, rooms.count());
            Arrays.fill(known, before, known.length, NOTHING);
        }
        looks.clear();
        looksSeen = rooms.looks().catchUp(looksSeen, rooms.count(), looks::set);
        seen = rooms.changes(view).catchUp(seen, rooms.count(), id -> each.accept(change(id)));
    }

    private Change change(int id) {
        var before = known[id];
        known[id] = rooms.get(id).amounts(view);
        return new Change(id, before, known[id], looks.get(id));
    }
}
