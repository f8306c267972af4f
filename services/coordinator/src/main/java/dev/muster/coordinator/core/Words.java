package dev.muster.coordinator.core;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;

/** Values as people read them. */
final class Words {
    private Words() {}

    /** As Go writes durations, and as users write them: {@code 5m}, {@code 1h30m}, {@code 90s}. */
    static String of(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    /** CPU is counted in milli and read in cores. */
    static String amount(String resource, long amount) {
        return resource.equals("cpu")
                ? BigDecimal.valueOf(amount, 3).stripTrailingZeros().toPlainString()
                : Long.toString(amount);
    }
}
