package dev.muster.coordinator.core.placement;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The most that each room had of a resource since that was last asked, before or after a change.
 */
final class Peaks {
    private static final long[] NOTHING = {};

    private final Rooms rooms;
    private final View view;

    /** By room and resource, what there was at the last call. */
    private long[][] known = {};

    private long seen = Changes.NEVER;

    Peaks(Rooms rooms, View view) {
        this.rooms = rooms;
        this.view = view;
    }

    /**
     * @param each is given the amounts of every room that changed since the last call, by the
     *     resources' numbers
     */
    void catchUp(Consumer<long[]> each) {
        int before = known.length;
        if (before < rooms.count()) {
            known = Arrays.copyOf(known, rooms.count());
            Arrays.fill(known, before, known.length, NOTHING);
        }
        var changes = rooms.changes(view);
        seen = changes.catchUp(seen, rooms.count(), id -> each.accept(peak(id)));
    }

    private long[] peak(int id) {
        var sums = rooms.get(id).sums(view);
        var now = new long[rooms.resources.count()];
        Arrays.setAll(now, sums::get);
        var peak = now.clone();
        for (int i = 0; i < known[id].length; i++) {
            peak[i] = Math.max(peak[i], known[id][i]);
        }
        known[id] = now;
        return peak;
    }
}
