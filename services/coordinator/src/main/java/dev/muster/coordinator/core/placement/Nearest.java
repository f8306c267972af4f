package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Fit.NodeLack;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The few nodes that come nearest to taking one more pod of a part, the first by name of equals.
 */
final class Nearest {
    private static final int MOST = 3;

    /** Of one that has room: nothing but the pods that are there keeps others off. */
    private static final long TAKEN = 1;

    private final Rooms rooms;
    private final Draft draft;
    private final Seats seats;
    private final Distances distances;

    private record Near(int room, long distance) {}

    Nearest(Rooms rooms, Draft draft, Seats seats, Distances distances) {
        this.rooms = rooms;
        this.draft = draft;
        this.seats = seats;
        this.distances = distances;
    }

    /**
     * @param nodes to look at, by name
     */
    List<NodeLack> of(int[] nodes) {
        var nearest = new ArrayList<Near>();
        for (int room : nodes) {
            long distance = distance(room);
            if (distance > 0
                    && (nearest.size() < MOST || distance < nearest.getLast().distance())) {
                nearest.add(new Near(room, distance));
                // Stable: of equal ones the first by name stays before.
                nearest.sort(Comparator.comparingLong(Near::distance));
                if (nearest.size() > MOST) {
                    nearest.removeLast();
                }
            }
        }
        return nearest.stream().map(near -> lack(near.room())).toList();
    }

    /** 0: not to be spoken of. */
    private long distance(int room) {
        if (seats.isTaken(room)) {
            return seats.slotsBesideAny(room) > 0 ? TAKEN : 0;
        }
        int taken = taken(room);
        if (seats.isClosed(room) || (taken > 0 && seats.part().group().isAlone())) {
            return 0;
        }
        return draft.isUntouched()
                ? distances.of(room)
                : distances.of(room, draft.sums(room), taken);
    }

    /** Pods that the node takes: none, where something else than room keeps them off. */
    private int taken(int room) {
        return draft.slots(seats.kind(), room);
    }

    private NodeLack lack(int id) {
        var room = rooms.get(id);
        if (seats.isTaken(id)) {
            return new NodeLack(room.name, whoIsThere(id));
        }
        var lacks = new ArrayList<String>();
        var obstacle = room.node == null ? null : obstacle(room.node);
        if (obstacle != null) {
            lacks.add(obstacle);
        }
        var amounts = amounts(id);
        if (!amounts.isEmpty()) {
            var more = taken(id) > 0 ? " for one more pod" : "";
            lacks.add("lacks " + String.join(" and ", amounts) + more);
        }
        return new NodeLack(room.name, String.join(" and ", lacks));
    }

    private String whoIsThere(int room) {
        var role = seats.part().role();
        var other = seats.repelling(room);
        if (other == null) {
            return "has pods that role %s keeps apart from".formatted(role);
        }
        var words =
                other.shuns()
                        ? "has pods of job %s, which keep apart from role %s"
                        : "has pods of job %s, which role %s keeps apart from";
        return words.formatted(other.job().fullName(), role);
    }

    private List<String> amounts(int room) {
        var amounts = new ArrayList<String>();
        var demand = seats.part().demand();
        for (int i = 0; i < demand.size(); i++) {
            long need = demand.amount(i);
            // Room that is kept for another may be in use still: less than nothing is free.
            long free = Math.max(0, draft.sums(room).get(rooms.resources.find(demand.name(i))));
            long missing = need > 0 ? Distances.missing(need, free, taken(room)) : 0;
            if (missing > 0) {
                amounts.add(
                        "%s of %s"
                                .formatted(Words.amount(demand.name(i), missing), demand.name(i)));
            }
        }
        return amounts;
    }

    private @Nullable String obstacle(Node node) {
        var filter = seats.part().filter();
        var role = seats.part().role();
        if (!filter.matchesLabels(node)) {
            var label = filter.missingLabel(node);
            return label == null
                    ? "does not match the node affinity of role " + role
                    : "does not have the label %s that role %s asks for".formatted(label, role);
        }
        var taint = filter.untolerated(node);
        if (taint != null) {
            return "has a taint %s that role %s does not tolerate".formatted(taint, role);
        }
        if (!node.ready()) {
            return "is not ready";
        }
        if (node.notes().announced()) {
            return "is about to go";
        }
        if (node.trust() == Node.Trust.EXCLUDED) {
            return "is excluded for a while after what failed there";
        }
        return node.unschedulable() ? "is cordoned" : null;
    }
}
