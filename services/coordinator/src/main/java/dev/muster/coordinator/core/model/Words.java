package dev.muster.coordinator.core.model;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Values as people read them. */
public final class Words {
    private static final Pattern OF_QUOTA = Pattern.compile("^(requests|limits)\\.");

    private Words() {}

    /** As Go writes durations, and as users write them: {@code 5m}, {@code 1h30m}, {@code 90s}. */
    public static String of(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    /** As status shows it: {@code Running}. */
    public static String of(Phase phase) {
        var name = phase.name();
        return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }

    /** Behind the first of some, how many there are beside it. */
    public static String andMore(int others) {
        return others == 0 ? "" : " (and %d more)".formatted(others);
    }

    /** As users write memory, in the largest unit that says it exactly: {@code 12Gi}. */
    public static String bytes(long bytes) {
        var units = List.of("", "Ki", "Mi", "Gi", "Ti");
        long number = bytes;
        int unit = 0;
        while (number != 0 && number % 1024 == 0 && unit < units.size() - 1) {
            number /= 1024;
            unit++;
        }
        return number + units.get(unit);
    }

    /**
     * As users write it: processors in cores, of which milli are counted, and bytes in their units.
     *
     * @param resource of a pod, or of a namespace's quota ({@code requests.memory})
     */
    public static String amount(String resource, long amount) {
        var name = OF_QUOTA.matcher(resource).replaceFirst("");
        if (name.equals("cpu")) {
            return BigDecimal.valueOf(amount, 3).stripTrailingZeros().toPlainString();
        }
        boolean isBytes =
                name.equals("memory")
                        || name.equals("ephemeral-storage")
                        || name.startsWith("hugepages-");
        return isBytes ? bytes(amount) : Long.toString(amount);
    }
}
