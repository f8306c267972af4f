package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import java.util.Arrays;

/** Which nodes one filter accepts, kept up with how the nodes look. */
final class Matching {
    /** How far a node comes; each includes the ones before. */
    enum Grade {
        OTHER_LABELS(0),
        TAINTED(1),
        TAKES_NO_PODS(2),
        ACCEPTED(3);

        private final byte steps;

        Grade(int steps) {
            this.steps = (byte) steps;
        }

        int stepsTo(Grade other) {
            return other.steps - steps;
        }
    }

    private static final byte NO_NODE = -1;

    private final Rooms rooms;
    private final NodeFilter filter;
    private final int[] counts = new int[Grade.values().length];
    private byte[] grades = {};
    private long seen = Changes.NEVER;

    Matching(Rooms rooms, NodeFilter filter) {
        this.rooms = rooms;
        this.filter = filter;
    }

    Matching catchUp() {
        int before = grades.length;
        if (before < rooms.count()) {
            grades = Arrays.copyOf(grades, rooms.count());
            Arrays.fill(grades, before, grades.length, NO_NODE);
        }
        seen = rooms.looks().catchUp(seen, rooms.count(), this::look);
        return this;
    }

    private void look(int id) {
        var node = rooms.get(id).node;
        byte grade = node == null ? NO_NODE : grade(node).steps;
        if (grade != grades[id]) {
            count(grades[id], -1);
            count(grade, 1);
            grades[id] = grade;
        }
    }

    private void count(byte grade, int sign) {
        if (grade != NO_NODE) {
            counts[grade] += sign;
        }
    }

    private Grade grade(Node node) {
        if (!filter.matchesLabels(node)) {
            return Grade.OTHER_LABELS;
        }
        if (!filter.tolerates(node)) {
            return Grade.TAINTED;
        }
        return node.takesPods() ? Grade.ACCEPTED : Grade.TAKES_NO_PODS;
    }

    boolean accepts(int id) {
        return grades[id] == Grade.ACCEPTED.steps;
    }

    /** Of a room that has a node. */
    Grade grade(int id) {
        return Grade.values()[grades[id]];
    }

    /** How many nodes come at least so far. */
    int count(Grade atLeast) {
        int sum = 0;
        for (int i = atLeast.steps; i < counts.length; i++) {
            sum += counts[i];
        }
        return sum;
    }
}
