package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Fit.Placement;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.placement.Choice.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pods of one part of a gang: where they may go, and where they were put so far. */
final class Seats {
    private final Shape.Part part;
    private final Supply supply;
    private final @Nullable Supply preferred;
    private final Closed closed;
    private final List<Share> shares = new ArrayList<>();
    private int left;

    /** Rooms as one kind of pod sees them. */
    record Supply(Kind kind, Draft draft) {
        int slots(int room) {
            return draft.slots(kind, room);
        }

        Tenants.@Nullable Repelling repelling(int room) {
            return draft.repelling(kind, room);
        }
    }

    /**
     * Rooms that are closed to the pods, and those that are not open to others with them.
     *
     * @param avoided whoever is there
     * @param taken pods are there that they keep apart from, which are not of the search
     * @param apart the used ones of groups that they keep apart from
     * @param used have a pod of their group by now; shared by all parts of the group
     */
    record Closed(BitSet avoided, BitSet taken, List<BitSet> apart, BitSet used) {
        private boolean isAny() {
            return !apart.isEmpty() || !avoided.isEmpty() || !taken.isEmpty();
        }

        private boolean has(int room) {
            if (avoided.get(room) || taken.get(room)) {
                return true;
            }
            for (var others : apart) {
                if (others.get(room)) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * @param preferred what is best used first; null: any
     */
    Seats(Shape.Part part, Supply supply, @Nullable Supply preferred, Closed closed) {
        this.part = part;
        this.supply = supply;
        this.preferred = preferred;
        this.closed = closed;
        left = part.pods();
    }

    void clear() {
        shares.clear();
        closed.used().clear();
        left = part.pods();
    }

    Shape.Part part() {
        return part;
    }

    Kind kind() {
        return supply.kind();
    }

    /** Pods that have no node yet. */
    int left() {
        return left;
    }

    boolean isClosed(int room) {
        return closed.has(room);
    }

    /** It is closed for those alone that are there and not of the gang's search. */
    boolean isTaken(int room) {
        return (closed.taken().get(room) || repelling(room) != null) && !closed.avoided().get(room);
    }

    /** Of other jobs, whose pods keep these off; null: nobody's do. */
    Tenants.@Nullable Repelling repelling(int room) {
        return supply.repelling(room);
    }

    /** How many pods the room would take if nobody were there whom they keep apart from. */
    int slotsBesideAny(int room) {
        return supply.draft().slotsBesideAny(supply.kind(), room);
    }

    private int slots(Supply of, int room) {
        if (isClosed(room)) {
            return 0;
        }
        int slots = of.slots(room);
        return isAlone() ? Math.min(slots, 1) : slots;
    }

    private int[] slots(Supply of, int[] rooms) {
        var slots = new int[rooms.length];
        boolean open = !closed.isAny();
        for (int at = 0; at < rooms.length; at++) {
            slots[at] = open ? of.slots(rooms[at]) : slots(of, rooms[at]);
        }
        return slots;
    }

    /** How many of these rooms would take a pod but for those that are there. */
    long taken(int[] rooms) {
        return Arrays.stream(rooms)
                .filter(room -> isTaken(room) && slotsBesideAny(room) > 0)
                .count();
    }

    /** How many pods these rooms take. */
    long sum(int[] rooms) {
        return sum(supply, rooms);
    }

    /** The same of the rooms of all nodes. */
    long sumAnywhere(int[] all) {
        return isAsKind() ? supply.kind().sum() : sum(all);
    }

    /** What is known of the kind holds for these pods, too. */
    private boolean isAsKind() {
        return supply.draft().isUntouched()
                && closed.avoided().isEmpty()
                && closed.taken().isEmpty()
                && !isAlone();
    }

    /** A node takes at most one of them. */
    private boolean isAlone() {
        return part.group().isAlone();
    }

    /** Of what is best used first. */
    long preferred(int[] rooms) {
        return sum(preferred == null ? supply : preferred, rooms);
    }

    private long sum(Supply of, int[] rooms) {
        long sum = 0;
        for (int room : rooms) {
            sum += slots(of, room);
        }
        return sum;
    }

    /** Nothing can make the part fit, whatever the other parts take. */
    boolean areHopeless() {
        return supply.draft().isUntouched() && !supply.kind().hasRoomFor(part.pods(), isAlone());
    }

    /**
     * Puts all pods that are left into these rooms, or as many as they take.
     *
     * @param all the rooms of all nodes
     */
    void fillAnywhere(int[] all) {
        boolean atOnce = isAsKind() && preferred == null;
        int room = atOnce ? supply.kind().leastToSpare(left) : Kind.NOT_AT_ONCE;
        if (room == Kind.NOT_AT_ONCE) {
            fill(all, left);
        } else {
            put(room, left);
        }
    }

    /** Puts at most so many of the pods that are left into these rooms. */
    void fill(int[] rooms, int most) {
        int pods = Math.min(left, most);
        if (pods <= 0) {
            return;
        }
        var chosen =
                preferred == null
                        ? Choice.leastToSpare(slots(supply, rooms), pods)
                        : Choice.freestFirst(slots(supply, rooms), slots(preferred, rooms), pods);
        for (var share : chosen) {
            put(rooms[share.at()], share.pods());
        }
    }

    /** May go there if there is room. */
    boolean accepts(int room) {
        return !isClosed(room) && supply.kind().matching().accepts(room) && repelling(room) == null;
    }

    void put(int room, int pods) {
        shares.add(new Share(room, pods));
        left -= pods;
        closed.used().set(room);
        supply.draft().take(room, part.demand(), pods);
        if (preferred != null) {
            preferred.draft().take(room, part.demand(), pods);
        }
    }

    /** The pods in the order of their nodes. */
    List<Placement> laidOut(Rooms rooms, Comparator<Integer> order) {
        var placed = new ArrayList<Placement>();
        int index = part.first();
        for (var share : shares.stream().sorted(Comparator.comparing(Share::at, order)).toList()) {
            var node = rooms.get(share.at()).name;
            for (int i = 0; i < share.pods(); i++) {
                var rank = new RankId(part.role(), index++);
                placed.add(new Placement(rank, node, part.spot()));
            }
        }
        return placed;
    }
}
