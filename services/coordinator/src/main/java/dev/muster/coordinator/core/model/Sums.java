package dev.muster.coordinator.core.model;

import java.util.Arrays;
import java.util.TreeMap;

/**
 * A running sum of amounts, by the resources' numbers. It is kept exact in 128 bits, so that what
 * was added can be taken off again in any order; what is read of it ends at the largest and the
 * smallest long.
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
        long above = high[resource];
        return above == 0 ? low[resource] : above > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
    }

    public void add(Resources resources, Amounts amounts, long times) {
        for (int i = 0; i < amounts.size(); i++) {
            add(resources.meet(amounts.name(i)), amounts.amount(i), times);
        }
    }

    /** The value is {@code high * 2^64 + low}, and {@code high} is 0 whenever a long holds it. */
    public void add(int resource, long amount, long times) {
        if (resource >= low.length) {
            low = Arrays.copyOf(low, resource + 1);
            high = Arrays.copyOf(high, resource + 1);
        }
        long product = amount * times;
        long above = Math.multiplyHigh(amount, times) + (product < 0 ? 1 : 0);
        long before = low[resource];
        long sum = before + product;
        if (((before ^ sum) & (product ^ sum)) < 0) {
            above += product < 0 ? -1 : 1;
        }
        low[resource] = sum;
        high[resource] += above;
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
