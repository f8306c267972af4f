package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Fit.NodeLack;
import dev.muster.coordinator.core.Matching.Grade;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that come nearest to taking one more pod of a part: first those that the part accepts,
 * then by how many resources they lack, then by how much of the one that they lack most, then by
 * name.
 */
final class Nearest {
    private static final int MOST = 3;
    private static final long LARGEST = (1L << 40) - 1;

    private final Rooms rooms;
    private final Draft draft;
    private final Seats seats;

    private record Near(int room, long distance) {}

    Nearest(Rooms rooms, Draft draft, Seats seats) {
        this.rooms = rooms;
        this.draft = draft;
        this.seats = seats;
    }

    /**
     * @param nodes to look at, by name
     */
    List<NodeLack> of(int[] nodes) {
        var nearest = new ArrayList<Near>();
        for (int room : nodes) {
            long distance = seats.isClosed(room) ? 0 : distance(room);
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

    /** 0: it takes a pod. */
    private long distance(int room) {
        if (taken(room) > 0 && seats.part().apart()) {
            return 0;
        }
        long lacking = 0;
        long worst = 0;
        var demand = seats.part().demand();
        for (int i = 0; i < demand.size(); i++) {
            long missing = missing(room, i);
            if (missing > 0) {
                lacking++;
                worst = Math.max(worst, perMille(missing, demand.amount(i)));
            }
        }
        var grade = seats.kind().matching().grade(room);
        long steps = Grade.ACCEPTED.ordinal() - grade.ordinal();
        return steps << 56 | Math.min(lacking, 255) << 48 | worst;
    }

    private static long perMille(long part, long whole) {
        return part <= LARGEST
                ? Math.min(LARGEST, part * 1000 / whole)
                : Math.min(LARGEST, part / whole) * 1000;
    }

    /** For one more pod than the node takes: none, where another reason keeps all off. */
    private long missing(int room, int resource) {
        var demand = seats.part().demand();
        long need = demand.amount(resource);
        if (need <= 0) {
            return 0;
        }
        long free = draft.sums(room).get(rooms.resources.find(demand.name(resource)));
        long left = free - taken(room) * need;
        return left < need - Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, need - left);
    }

    private int taken(int room) {
        boolean accepted = seats.kind().matching().accepts(room);
        return accepted ? seats.kind().slots(draft.sums(room)) : 0;
    }

    private NodeLack lack(int room) {
        var node = rooms.get(room);
        var lacks = new ArrayList<String>();
        var obstacle = node.node == null ? null : obstacle(node.node);
        if (obstacle != null) {
            lacks.add(obstacle);
        }
        var amounts = new ArrayList<String>();
        var demand = seats.part().demand();
        for (int i = 0; i < demand.size(); i++) {
            long missing = missing(room, i);
            if (missing > 0) {
                amounts.add(
                        "%s of %s"
                                .formatted(
                                        Shortfall.show(demand.name(i), missing), demand.name(i)));
            }
        }
        if (!amounts.isEmpty()) {
            boolean more = taken(room) > 0;
            lacks.add("lacks " + String.join(" and ", amounts) + (more ? " for one more pod" : ""));
        }
        return new NodeLack(node.name, String.join(" and ", lacks));
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
        return node.unschedulable() ? "is cordoned" : null;
    }
}
