package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Sums;
import dev.muster.coordinator.core.placement.Matching.Grade;
import java.util.Arrays;

/**
 * How far each node is from taking one more pod of a kind, kept up with what changes: first by what
 * keeps the pod off whatever the room, then by how many resources it lacks, then by how much of the
 * one that it lacks most, in thousandths of the need.
 */
final class Distances {
    private static final long LARGEST = (1L << 40) - 1;
    private static final int MANY = 255;

    private final Rooms rooms;
    private final Kind kind;
    private long[] distances = {};
    private long seen = Changes.NEVER;

    Distances(Rooms rooms, Kind kind) {
        this.rooms = rooms;
        this.kind = kind;
    }

    Distances catchUp() {
        kind.catchUp();
        if (distances.length < rooms.count()) {
            distances = Arrays.copyOf(distances, rooms.count());
        }
        seen = rooms.changes(kind.view()).catchUp(seen, rooms.count(), this::look);
        return this;
    }

    private void look(int id) {
        var room = rooms.get(id);
        distances[id] = room.node == null ? 0 : of(id, room.sums(kind.view()), kind.slots(id));
    }

    /** 0: it has room without end. */
    long of(int room) {
        return distances[room];
    }

    /**
     * If it were otherwise than it is.
     *
     * @param taken how many pods it takes
     */
    long of(int room, Sums sums, int taken) {
        long lacking = 0;
        long worst = 0;
        for (int i = 0; i < kind.needs(); i++) {
            long missing = missing(kind.need(i), sums.get(kind.resource(i)), taken);
            if (missing > 0) {
                lacking++;
                worst = Math.max(worst, thousandths(missing, kind.need(i)));
            }
        }
        long steps = kind.matching().grade(room).stepsTo(Grade.ACCEPTED);
        return steps << 56 | Math.min(lacking, MANY) << 48 | worst;
    }

    private static long thousandths(long part, long whole) {
        return part <= LARGEST
                ? Math.min(LARGEST, part * 1000 / whole)
                : Math.min(LARGEST, Math.min(LARGEST, part / whole) * 1000);
    }

    /** For one more pod than the node takes. */
    static long missing(long need, long free, long taken) {
        long left = free - taken * need;
        return left < need - Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, need - left);
    }
}
