package dev.muster.coordinator.core;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts of resources by name: cpu in milli, everything else in whole units. A resource that is
 * not named has amount 0.
 *
 * <p>Additions are exact and throw {@link ArithmeticException} on overflow.
 */
public record Amounts(SortedMap<String, Long> byName) {
    public static final Amounts NONE = new Amounts(new TreeMap<>());

    public Amounts {
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
    }

    public static Amounts of(Map<String, Long> byName) {
        return new Amounts(new TreeMap<>(byName));
    }

    public long get(String resource) {
        return byName.getOrDefault(resource, 0L);
    }

    public Amounts plus(Amounts other) {
        return plus(other, 1);
    }

    public Amounts minus(Amounts other) {
        return plus(other, -1);
    }

    public Amounts times(long factor) {
        return NONE.plus(this, factor);
    }

    private Amounts plus(Amounts other, long factor) {
        var sum = new TreeMap<>(byName);
        other.byName.forEach((resource, amount) -> {
            long next =
                    Math.addExact(
                            sum.getOrDefault(resource, 0L), Math.multiplyExact(amount, factor));
            if (next == 0) {
                sum.remove(resource);
            } else {
                sum.put(resource, next);
            }
        });
        return new Amounts(sum);
    }

    /** How often this, as a demand, goes into {@code free}; a demand of nothing goes in always. */
    public long timesIn(Amounts free) {
        long times = Long.MAX_VALUE;
        for (var need : byName.entrySet()) {
            if (need.getValue() > 0) {
                times = Math.min(times, Math.max(0, free.get(need.getKey())) / need.getValue());
            }
        }
        return times;
    }

    /** No amount is below 0. */
    public boolean isNowhereNegative() {
        return byName.values().stream().allMatch(amount -> amount >= 0);
    }

    @Override
    public String toString() {
        return byName.toString();
    }
}
