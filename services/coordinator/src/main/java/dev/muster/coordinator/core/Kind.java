package dev.muster.coordinator.core;

import java.util.Arrays;

/** How many pods of one demand and filter each node takes, kept up with what changes. */
final class Kind {
    /** As good as any number: no gang has as many pods. */
    private static final int PLENTY = 1 << 30;

    private final Rooms rooms;
    private final View view;
    private final Amounts demand;
    private final Matching matching;
    private int[] needed = {};
    private long[] needs = {};

    /** A resource that no node has is met when the first one does. */
    private int met = -1;

    private int[] slots = {};
    private long sum;
    private int open;
    private long seen = -1;

    Kind(Rooms rooms, View view, Amounts demand, Matching matching) {
        this.rooms = rooms;
        this.view = view;
        this.demand = demand;
        this.matching = matching;
    }

    /** To be called before any question, since what is known is as old as the last call. */
    Kind catchUp() {
        matching.catchUp();
        var changes = rooms.changes(view);
        if (slots.length < rooms.count()) {
            slots = Arrays.copyOf(slots, rooms.count());
        }
        boolean news = meet();
        if (!news && seen >= 0 && changes.reachBackTo(seen, rooms.count())) {
            for (long i = seen; i < changes.count(); i++) {
                count(changes.at(i));
            }
        } else {
            for (int id = 0; id < slots.length; id++) {
                count(id);
            }
        }
        seen = changes.count();
        return this;
    }

    /** Returns whether resources have become known of which it may ask for some. */
    private boolean meet() {
        if (met == rooms.resources.count()) {
            return false;
        }
        met = rooms.resources.count();
        needed = new int[demand.size()];
        needs = new long[demand.size()];
        int size = 0;
        for (int i = 0; i < demand.size(); i++) {
            if (demand.amount(i) > 0) {
                needed[size] = rooms.resources.find(demand.name(i));
                needs[size++] = demand.amount(i);
            }
        }
        needed = Arrays.copyOf(needed, size);
        needs = Arrays.copyOf(needs, size);
        return true;
    }

    private void count(int id) {
        int now = matching.accepts(id) ? slots(rooms.get(id).sums(view)) : 0;
        int before = slots[id];
        if (now != before) {
            slots[id] = now;
            sum += now - before;
            open += (now > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
        }
    }

    /** On a node that has these amounts, whether the filter accepts it or not. */
    int slots(Sums sums) {
        long least = PLENTY;
        for (int i = 0; i < needed.length; i++) {
            long free = sums.get(needed[i]);
            if (free < needs[i]) {
                return 0;
            }
            least = Math.min(least, free / needs[i]);
        }
        return (int) least;
    }

    int slots(int id) {
        return slots[id];
    }

    /** Whether so many pods find a node each, or, if apart, a node of their own. */
    boolean holds(long pods, boolean apart) {
        return (apart ? open : sum) >= pods;
    }

    Matching matching() {
        return matching;
    }

    View view() {
        return view;
    }
}
