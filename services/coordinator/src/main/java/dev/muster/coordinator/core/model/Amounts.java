package dev.muster.coordinator.core.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts of resources by name: cpu in milli, everything else in whole units. A resource that is
 * not named has amount 0, and one of amount 0 is not named.
 *
 * <p>Additions are exact and throw {@link ArithmeticException} on overflow.
 */
public final class Amounts {
    public static final Amounts NONE = new Amounts(new String[0], new long[0]);

    /** Sorted, and interned: a million demands name the same few resources. */
    private final String[] names;

    private final long[] values;
    private final int hash;

    private Amounts(String[] names, long[] values) {
        this.names = names;
        this.values = values;
        hash = 31 * Arrays.hashCode(names) + Arrays.hashCode(values);
    }

    public static Amounts of(Map<String, Long> byName) {
        var sorted = new TreeMap<>(byName);
        sorted.values().removeIf(amount -> amount == 0);
        if (sorted.isEmpty()) {
            return NONE;
        }
        var names = new String[sorted.size()];
        var values = new long[names.length];
        int at = 0;
        for (var entry : sorted.entrySet()) {
            names[at] = entry.getKey().intern();
            values[at++] = entry.getValue();
        }
        return new Amounts(names, values);
    }

    public SortedMap<String, Long> byName() {
        var byName = new TreeMap<String, Long>();
        for (int i = 0; i < names.length; i++) {
            byName.put(names[i], values[i]);
        }
        return Collections.unmodifiableSortedMap(byName);
    }

    /** How many resources are named. */
    public int size() {
        return names.length;
    }

    /** The resource at this place, in the order of names. */
    public String name(int at) {
        return names[at];
    }

    /** Its amount, never 0. */
    public long amount(int at) {
        return values[at];
    }

    public long get(String resource) {
        int at = Arrays.binarySearch(names, resource);
        return at < 0 ? 0 : values[at];
    }

    public Amounts plus(Amounts other) {
        return plus(other, 1);
    }

    public Amounts minus(Amounts other) {
        return plus(other, -1);
    }

    /** The same, but for one resource. */
    public Amounts with(String resource, long amount) {
        long more = amount - get(resource);
        return more == 0
                ? this
                : plus(new Amounts(new String[] {resource.intern()}, new long[] {more}));
    }

    public Amounts times(long factor) {
        return NONE.plus(this, factor);
    }

    /** Of each resource, by how much it is more than the other's; never negative. */
    public Amounts beyond(Amounts other) {
        var more = minus(other);
        if (more.isNowhereNegative()) {
            return more;
        }
        var positive = new TreeMap<>(more.byName());
        positive.values().removeIf(amount -> amount < 0);
        return of(positive);
    }

    private Amounts plus(Amounts other, long factor) {
        if (other.names.length == 0) {
            return this;
        }
        var sumNames = new String[names.length + other.names.length];
        var sums = new long[sumNames.length];
        int size = 0;
        int mine = 0;
        int theirs = 0;
        while (mine < names.length || theirs < other.names.length) {
            int order = order(mine, other, theirs);
            var name = order <= 0 ? names[mine] : other.names[theirs];
            long sum = order <= 0 ? values[mine++] : 0;
            if (order >= 0) {
                sum = Math.addExact(sum, Math.multiplyExact(other.values[theirs++], factor));
            }
            if (sum != 0) {
                sumNames[size] = name;
                sums[size++] = sum;
            }
        }
        return size == 0
                ? NONE
                : new Amounts(Arrays.copyOf(sumNames, size), Arrays.copyOf(sums, size));
    }

    /** Which name comes next: mine when negative, theirs when positive, else both. */
    private int order(int mine, Amounts other, int theirs) {
        if (mine == names.length) {
            return 1;
        }
        if (theirs == other.names.length) {
            return -1;
        }
        var name = names[mine];
        // Mostly it is the same word, which else is compared letter by letter.
        return name.equals(other.names[theirs]) ? 0 : name.compareTo(other.names[theirs]);
    }

    /** How often this, as a demand, goes into {@code free}; a demand of nothing goes in always. */
    public long timesIn(Amounts free) {
        long times = Long.MAX_VALUE;
        for (int i = 0; i < names.length; i++) {
            if (values[i] > 0) {
                times = Math.min(times, Math.max(0, free.get(names[i])) / values[i]);
            }
        }
        return times;
    }

    /** No amount is below 0. */
    public boolean isNowhereNegative() {
        for (long amount : values) {
            if (amount < 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object object) {
        return this == object
                || (object instanceof Amounts other
                        && hash == other.hash
                        && Arrays.equals(values, other.values)
                        && Arrays.equals(names, other.names));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return byName().toString();
    }
}
