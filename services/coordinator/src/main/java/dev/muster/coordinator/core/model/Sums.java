package dev.muster.coordinator.core.model;

import java.util.Arrays;
import java.util.TreeMap;

/**
 * A running sum of amounts, by the resources' numbers. It is kept exact ({@link Wide}), so that
 * what was added can be taken off again in any order; what is read of it ends at the largest and
 * the smallest long.
 */
public final class Sums {
    private long[] low;
    private long[] high;

    public Sums() {
        low = new long[0];
        high = new long[0];
    }

    public Sums(Sums other) {
        low = other.low.clone();
        high = other.high.clone();
    }

    public long get(int resource) {
        if (resource < 0 || resource >= low.length) {
            return 0;
        }
        return Wide.read(low[resource], high[resource]);
    }

    /** Of resources with this number or a larger one there is nothing. */
    public int size() {
        return low.length;
    }

    public void add(Resources resources, Amounts amounts, long times) {
        for (int i = 0; i < amounts.size(); i++) {
            add(resources.meet(amounts.name(i)), amounts.amount(i), times);
        }
    }

    public void add(int resource, long amount, long times) {
        if (resource >= low.length) {
            low = Arrays.copyOf(low, resource + 1);
            high = Arrays.copyOf(high, resource + 1);
        }
        high[resource] += Wide.carry(low[resource], amount, times);
        low[resource] += amount * times;
    }

    public boolean isZero() {
        return Arrays.stream(low).allMatch(v -> v == 0)
                && Arrays.stream(high).allMatch(v -> v == 0);
    }

    /** More of any resource than {@code other} has. */
    public boolean exceeds(Sums other) {
        for (int i = 0; i < Math.max(low.length, other.low.length); i++) {
            if (get(i) > other.get(i)) {
                return true;
            }
        }
        return false;
    }

    public Amounts amounts(Resources resources) {
        var byName = new TreeMap<String, Long>();
        for (int i = 0; i < low.length; i++) {
            byName.put(resources.name(i), get(i));
        }
        return Amounts.of(byName);
    }
}
