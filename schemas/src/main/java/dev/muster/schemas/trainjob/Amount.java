package dev.muster.schemas.trainjob;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An amount of a resource: to users a quantity of Kubernetes, in the contract a number, cpu in
 * milli and everything else in whole units.
 */
public final class Amount {
    private static final Pattern QUANTITY =
            Pattern.compile(
                    "\\+?([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]{1,3})?");
    private static final String CPU = "cpu";
    private static final int BINARY = 1024;

    /** Largest first: the first that divides an amount shows it shortest. */
    private static final String[] BINARY_UNITS = {"Ei", "Pi", "Ti", "Gi", "Mi", "Ki"};

    private static final Map<String, BigDecimal> DECIMAL_UNITS =
            Map.of(
                    "n", new BigDecimal("1e-9"),
                    "u", new BigDecimal("1e-6"),
                    "m", new BigDecimal("1e-3"),
                    "k", new BigDecimal("1e3"),
                    "M", new BigDecimal("1e6"),
                    "G", new BigDecimal("1e9"),
                    "T", new BigDecimal("1e12"),
                    "P", new BigDecimal("1e15"),
                    "E", new BigDecimal("1e18"));

    private Amount() {}

    /**
     * The contract's number, what is finer rounded up.
     *
     * @return empty where the text is no quantity, a negative one, or more than fits
     */
    static OptionalLong parse(String resource, String text) {
        var match = QUANTITY.matcher(text);
        if (!match.matches()) {
            return OptionalLong.empty();
        }
        var value = new BigDecimal(match.group(1)).multiply(unit(match.group(2)));
        var units =
                (resource.equals(CPU) ? value.movePointRight(3) : value)
                        .setScale(0, RoundingMode.CEILING);
        return units.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
                ? OptionalLong.empty()
                : OptionalLong.of(units.longValueExact());
    }

    private static BigDecimal unit(@Nullable String suffix) {
        if (suffix == null) {
            return BigDecimal.ONE;
        }
        for (var i = 0; i < BINARY_UNITS.length; i++) {
            if (BINARY_UNITS[i].equals(suffix)) {
                return BigDecimal.valueOf(BINARY).pow(BINARY_UNITS.length - i);
            }
        }
        var decimal = DECIMAL_UNITS.get(suffix);
        return decimal == null ? new BigDecimal("1" + suffix) : decimal;
    }

    /**
     * As users write it: {@code 1500m} or {@code 20} of cpu, {@code 16Gi} of memory, 8 of others.
     */
    public static String text(String resource, long units) {
        if (resource.equals(CPU)) {
            return units % 1000 == 0 ? String.valueOf(units / 1000) : units + "m";
        }
        if (units == 0 || !isBytes(resource)) {
            return String.valueOf(units);
        }
        for (var i = 0; i < BINARY_UNITS.length; i++) {
            var unit = 1L << (10 * (BINARY_UNITS.length - i));
            if (units % unit == 0) {
                return units / unit + BINARY_UNITS[i];
            }
        }
        return String.valueOf(units);
    }

    private static boolean isBytes(String resource) {
        return resource.equals("memory")
                || resource.equals("ephemeral-storage")
                || resource.startsWith("hugepages-");
    }
}
