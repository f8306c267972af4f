package dev.muster.coordinator.core;

import java.time.Duration;
import java.util.Locale;

/** Values as people read them. */
final class Words {
    private Words() {}

    /** As Go writes durations, and as users write them: {@code 5m}, {@code 1h30m}, {@code 90s}. */
    static String of(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
