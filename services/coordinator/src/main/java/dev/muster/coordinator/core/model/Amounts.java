package dev.muster.coordinator.core.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Amounts of resources by name: cpu in milli, everything else in whole units. A resource that is
 * not named has amount 0, and one of amount 0 is not named.
 *
 * <p>Sums are exact, so that what was added can be taken off again in any order; what is read of
 * one ends at the largest and the smallest long ({@link Wide}).
 */
public final class Amounts {
    public static final Amounts NONE = new Amounts(new String[0], new long[0]);

    /** Sorted, and interned: a million demands name the same few resources. */
    private final String[] names;

    /** The lower words; behind them the upper ones, where a long does not hold all of them. */
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
            byName.put(names[i], amount(i));
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
        return Wide.read(values[at], high(at));
    }

    private long high(int at) {
        return values.length == names.length ? 0 : values[names.length + at];
    }

    public long get(String resource) {
        int at = Arrays.binarySearch(names, resource);
        return at < 0 ? 0 : amount(at);
    }

    public Amounts plus(Amounts other) {
        return plus(other, 1);
    }

    public Amounts minus(Amounts other) {
        return plus(other, -1);
    }

    /** The same, but for one resource. */
    public Amounts with(String resource, long amount) {
        return get(resource) == amount
                ? this
                : minus(only(resource)).plus(of(Collections.singletonMap(resource, amount)));
    }

    private Amounts only(String resource) {
        var only = new Building(1);
        int at = Arrays.binarySearch(names, resource);
        if (at >= 0) {
            only.add(names[at], values[at], high(at));
        }
        return only.whole();
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
        var positive = new Building(more.names.length);
        for (int i = 0; i < more.names.length; i++) {
            if (more.amount(i) > 0) {
                positive.add(more.names[i], more.values[i], more.high(i));
            }
        }
        return positive.whole();
    }

    private Amounts plus(Amounts other, long factor) {
        if (other.names.length == 0) {
            return this;
        }
        var sums = new Building(names.length + other.names.length);
        int mine = 0;
        int theirs = 0;
        while (mine < names.length || theirs < other.names.length) {
            int order = order(mine, other, theirs);
            var name = order <= 0 ? names[mine] : other.names[theirs];
            long low = order <= 0 ? values[mine] : 0;
            long high = order <= 0 ? high(mine++) : 0;
            if (order >= 0) {
                long more = other.values[theirs];
                high += other.high(theirs++) * factor + Wide.carry(low, more, factor);
                low += more * factor;
            }
            sums.add(name, low, high);
        }
        return sums.whole();
    }

    /** Amounts that come in the order of their names. */
    private static final class Building {
        private final String[] names;
        private final long[] low;
        private long @Nullable [] high;
        private int size;

        Building(int most) {
            names = new String[most];
            low = new long[most];
        }

        void add(String name, long lower, long upper) {
            if (lower == 0 && upper == 0) {
                return;
            }
            if (upper != 0) {
                high = high == null ? new long[low.length] : high;
                high[size] = upper;
            }
            names[size] = name;
            low[size++] = lower;
        }

        Amounts whole() {
            if (size == 0) {
                return NONE;
            }
            var values = Arrays.copyOf(low, high == null ? size : 2 * size);
            if (high != null) {
                System.arraycopy(high, 0, values, size, size);
            }
            return new Amounts(Arrays.copyOf(names, size), values);
        }
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
            long each = amount(i);
            if (each > 0) {
                times = Math.min(times, Math.max(0, free.get(names[i])) / each);
            }
        }
        return times;
    }

    /** No amount is below 0. */
    public boolean isNowhereNegative() {
        for (int i = 0; i < names.length; i++) {
            if (amount(i) < 0) {
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
