package dev.muster.schemas.trainjob;

import dev.muster.schemas.contract.Limits;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Durations as Go writes them, {@code 1h30m}, in milliseconds. */
public final class GoDuration {
    private static final Pattern WHOLE =
            Pattern.compile("\\+?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)){1,16})");
    private static final Pattern PART = Pattern.compile("([0-9.]+)(ns|us|µs|μs|ms|s|m|h)");

    private static final BigDecimal MOST = BigDecimal.valueOf(Limits.LONGEST_DURATION.toMillis());

    private GoDuration() {}

    /**
     * Milliseconds, a part of one rounded up, so that no short duration becomes the 0 that means
     * none.
     *
     * @return empty where the text is no duration, a negative one, or more than Go can hold
     */
    public static OptionalLong millis(String text) {
        if (!WHOLE.matcher(text).matches()) {
            return OptionalLong.empty();
        }
        var sum = BigDecimal.ZERO;
        var parts = PART.matcher(text);
        while (parts.find()) {
            sum = sum.add(new BigDecimal(parts.group(1)).multiply(millisOf(parts.group(2))));
        }
        return sum.compareTo(MOST) > 0
                ? OptionalLong.empty()
                : OptionalLong.of(sum.setScale(0, RoundingMode.CEILING).longValueExact());
    }

    /** As people write it: {@code 5m}, {@code 1h30m}, {@code 1500ms}; 0 is {@code 0s}. */
    public static String text(long millis) {
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        var hours = millis / 3_600_000;
        var minutes = millis / 60_000 % 60;
        var seconds = millis / 1000 % 60;
        var text =
                (hours == 0 ? "" : hours + "h")
                        + (minutes == 0 ? "" : minutes + "m")
                        + (seconds == 0 ? "" : seconds + "s");
        return text.isEmpty() ? "0s" : text;
    }

    private static BigDecimal millisOf(String unit) {
        return switch (unit) {
            case "h" -> BigDecimal.valueOf(3_600_000);
            case "m" -> BigDecimal.valueOf(60_000);
            case "s" -> BigDecimal.valueOf(1_000);
            case "ms" -> BigDecimal.ONE;
            case "ns" -> new BigDecimal("0.000001");
            default -> new BigDecimal("0.001");
        };
    }
}
