package dev.muster.coordinator.core;

import java.util.Arrays;

/** Which nodes one filter accepts, kept up with how the nodes look. */
final class Matching {
    /** How far a node comes; each includes the ones before. */
    enum Grade {
        OTHER_LABELS,
        TAINTED,
        TAKES_NO_PODS,
        ACCEPTED
    }

    private static final byte NO_NODE = -1;

    private final Rooms rooms;
    private final NodeFilter filter;
    private final int[] counts = new int[Grade.values().length];
    private byte[] grades = {};
    private long seen = -1;

    Matching(Rooms rooms, NodeFilter filter) {
        this.rooms = rooms;
        this.filter = filter;
    }

    void catchUp() {
        var looks = rooms.looks();
        int before = grades.length;
        if (before < rooms.count()) {
            grades = Arrays.copyOf(grades, rooms.count());
            Arrays.fill(grades, before, grades.length, NO_NODE);
        }
        if (seen >= 0 && looks.reachBackTo(seen, rooms.count())) {
            for (long i = seen; i < looks.count(); i++) {
                look(looks.at(i));
            }
        } else {
            for (int id = 0; id < grades.length; id++) {
                look(id);
            }
        }
        seen = looks.count();
    }

    private void look(int id) {
        var node = rooms.get(id).node;
        byte grade = node == null ? NO_NODE : (byte) grade(node).ordinal();
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
        return grades[id] == Grade.ACCEPTED.ordinal();
    }

    /** Of a room that has a node. */
    Grade grade(int id) {
        return Grade.values()[grades[id]];
    }

    /** How many nodes come at least so far. */
    int count(Grade atLeast) {
        int sum = 0;
        for (int i = atLeast.ordinal(); i < counts.length; i++) {
            sum += counts[i];
        }
        return sum;
    }
}
