package dev.muster.bench.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** How many pods were bound within which time, from the first to the last. */
record BindingRate(int pods, double seconds) {
    static final List<String> HEADINGS = List.of("pods bound", "seconds", "pods/s");

    /**
     * @param bound when, in that order; not empty
     */
    static BindingRate of(List<Instant> bound) {
        var took = Duration.between(bound.getFirst(), bound.getLast());
        return new BindingRate(bound.size(), took.toMillis() / 1e3);
    }

    List<String> cells() {
        return List.of(Integer.toString(pods), rounded("%.1f", seconds), rounded("%.0f", rate()));
    }

    String said() {
        return String.format(
                Locale.ROOT, "%d pods bound in %.1f s: %.0f pods/s", pods, seconds, rate());
    }

    private double rate() {
        return pods / seconds;
    }

    private static String rounded(String format, double number) {
        return String.format(Locale.ROOT, format, number);
    }
}
