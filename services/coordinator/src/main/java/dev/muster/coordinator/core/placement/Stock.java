package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Sums;
import java.util.Arrays;

/** What is free in all on the nodes that a filter accepts, kept up with what changes. */
final class Stock {
    private static final long[] NOTHING = {};

    private final Rooms rooms;
    private final Matching matching;
    private final Sums sums = new Sums();

    /** What each room has in the sums, by resource. */
    private long[][] counted = {};

    private long seen = Changes.NEVER;

    Stock(Rooms rooms, Matching matching) {
        this.rooms = rooms;
        this.matching = matching;
    }

    Stock catchUp() {
        matching.catchUp();
        int before = counted.length;
        if (before < rooms.count()) {
            counted = Arrays.copyOf(counted, rooms.count());
            Arrays.fill(counted, before, counted.length, NOTHING);
        }
        seen = rooms.changes(View.NOW).catchUp(seen, rooms.count(), this::count);
        return this;
    }

    private void count(int id) {
        boolean accepted = matching.accepts(id);
        var before = counted[id];
        if (accepted && before.length < rooms.resources.count()) {
            before = Arrays.copyOf(before, rooms.resources.count());
            counted[id] = before;
        }
        for (int i = 0; i < before.length; i++) {
            long now = accepted ? Math.max(0, rooms.get(id).free.get(i)) : 0;
            if (now != before[i]) {
                sums.add(i, now, 1);
                sums.add(i, before[i], -1);
                before[i] = now;
            }
        }
    }

    /** A node that has less than nothing counts as one that has nothing. */
    long free(int resource) {
        return sums.get(resource);
    }
}
