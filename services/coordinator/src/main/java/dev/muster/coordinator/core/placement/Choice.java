package dev.muster.coordinator.core.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Which of many rooms take how many pods. Rooms stand in the order of their names: ties go so. */
final class Choice {
    /** The room at this place takes so many pods. */
    record Share(int at, int pods) {}

    private Choice() {}

    /**
     * The room that holds all with the least to spare, else the one that holds the most, and so on
     * with what is left: few rooms are used, and large ones are left whole.
     *
     * @param slots how many pods each takes
     * @return all pods, or as many as there is room for
     */
    static List<Share> leastToSpare(int[] slots, int pods) {
        int best = -1;
        int most = 0;
        for (int at = 0; at < slots.length; at++) {
            if (slots[at] >= pods && (best < 0 || slots[at] < slots[best])) {
                best = at;
            }
            most = Math.max(most, slots[at]);
        }
        if (pods <= 0 || most == 0) {
            return List.of();
        }
        return best >= 0 ? List.of(new Share(best, pods)) : largestFirst(slots, most, pods);
    }

    private static List<Share> largestFirst(int[] slots, int most, int pods) {
        var shares = new ArrayList<Share>();
        int left = pods;
        var order = descending(slots, most);
        for (int i = 0; i < order.length && left > 0 && slots[order[i]] > 0; i++) {
            int at = slots[order[i]] < left ? order[i] : smallest(slots, order, i, left);
            int taken = Math.min(left, slots[at]);
            shares.add(new Share(at, taken));
            left -= taken;
        }
        return shares;
    }

    /** Of the rooms from {@code from} on, the first of the smallest that hold all. */
    private static int smallest(int[] slots, int[] order, int from, int pods) {
        int last = from;
        while (last + 1 < order.length && slots[order[last + 1]] >= pods) {
            last++;
        }
        int first = last;
        while (first > from && slots[order[first - 1]] == slots[order[last]]) {
            first--;
        }
        return order[first];
    }

    /**
     * First what is free, of the room with the most of it, then what is not free yet, in the same
     * order: little has to be waited for.
     *
     * @param slots how many pods each takes in the end
     * @param free how many it takes now
     */
    static List<Share> freestFirst(int[] slots, int[] free, int pods) {
        var now = new int[slots.length];
        int most = 0;
        for (int at = 0; at < slots.length; at++) {
            now[at] = Math.min(pods, Math.min(free[at], slots[at]));
            most = Math.max(most, now[at]);
        }
        var order = descending(now, most);
        var shares = new ArrayList<Share>();
        int left = pods;
        for (int i = 0; i < order.length && left > 0 && now[order[i]] > 0; i++) {
            int taken = Math.min(left, now[order[i]]);
            shares.add(new Share(order[i], taken));
            left -= taken;
        }
        for (int i = 0; i < order.length && left > 0; i++) {
            int taken = Math.min(left, slots[order[i]] - now[order[i]]);
            if (taken > 0) {
                shares.add(new Share(order[i], taken));
                left -= taken;
            }
        }
        return shares;
    }

    /** Places by value, the largest first, equal ones in their order; none is above most. */
    private static int[] descending(int[] values, int most) {
        var starts = new int[most + 2];
        for (int value : values) {
            starts[most - value + 1]++;
        }
        for (int i = 1; i < starts.length; i++) {
            starts[i] += starts[i - 1];
        }
        var order = new int[values.length];
        for (int at = 0; at < values.length; at++) {
            order[starts[most - values[at]]++] = at;
        }
        return order;
    }

    /**
     * One pod after the other into the domain that has the fewest and still room.
     *
     * @param loads how many pods each has, which is brought up to date
     * @return how many pods each takes
     */
    static int[] evenly(int[] loads, long[] slots, int pods) {
        var counts = new int[slots.length];
        var open =
                new PriorityQueue<Integer>(
                        Comparator.<Integer>comparingInt(at -> loads[at])
                                .thenComparingInt(at -> at));
        for (int at = 0; at < slots.length; at++) {
            if (slots[at] > 0) {
                open.add(at);
            }
        }
        for (int left = pods; left > 0 && !open.isEmpty(); left--) {
            int at = open.remove();
            counts[at]++;
            loads[at]++;
            if (counts[at] < slots[at]) {
                open.add(at);
            }
        }
        return counts;
    }
}
