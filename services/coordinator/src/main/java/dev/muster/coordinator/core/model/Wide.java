package dev.muster.coordinator.core.model;

/**
 * Numbers of two words, for sums that a long may not hold: {@code high * 2^64 + low}, where {@code
 * high} is 0 whenever a long holds them. What is read of them as a long ends at the largest and the
 * smallest one.
 */
public final class Wide {
    private Wide() {}

    /**
     * By how much the upper word grows where {@code amount * times} is added to a lower one, which
     * then is {@code low + amount * times} without its carry.
     */
    static long carry(long low, long amount, long times) {
        long product = amount * times;
        long sum = low + product;
        long above = Math.multiplyHigh(amount, times) + (product < 0 ? 1 : 0);
        boolean isPassed = ((low ^ sum) & (product ^ sum)) < 0;
        return isPassed ? above + (product < 0 ? -1 : 1) : above;
    }

    static long read(long low, long high) {
        return high == 0 ? low : high > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
    }

    /** Of what is only compared: nothing is taken off again from where it ends. */
    public static long sum(long one, long other) {
        return read(one + other, carry(one, other, 1));
    }

    /** The same of what is left. */
    public static long difference(long from, long less) {
        return read(from - less, carry(from, less, -1));
    }

    /** The same of so many that are alike. */
    public static long product(long amount, long times) {
        return read(amount * times, carry(0, amount, times));
    }
}
