package dev.muster.admission.core;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A quantity of a resource as Kubernetes writes it, exact to the thousandth. */
record Quantity(BigDecimal value) implements Comparable<Quantity> {
    static final Quantity ZERO = new Quantity(BigDecimal.ZERO);
    static final String ALLOWED =
            "must be a quantity of Kubernetes that is not negative, as in 500m, 2, 1.5 or 16Gi";

    private static final Pattern FORM =
            Pattern.compile(
                    "[+-]?([0-9]{1,30}(?:\\.[0-9]{0,30})?|\\.[0-9]{1,30})"
                            + "([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?");
    private static final Map<String, BigDecimal> UNITS =
            Map.ofEntries(
                    Map.entry("n", new BigDecimal("1e-9")),
                    Map.entry("u", new BigDecimal("1e-6")),
                    Map.entry("m", new BigDecimal("1e-3")),
                    Map.entry("k", new BigDecimal("1e3")),
                    Map.entry("M", new BigDecimal("1e6")),
                    Map.entry("G", new BigDecimal("1e9")),
                    Map.entry("T", new BigDecimal("1e12")),
                    Map.entry("P", new BigDecimal("1e15")),
                    Map.entry("E", new BigDecimal("1e18")),
                    Map.entry("Ki", BigDecimal.TWO.pow(10)),
                    Map.entry("Mi", BigDecimal.TWO.pow(20)),
                    Map.entry("Gi", BigDecimal.TWO.pow(30)),
                    Map.entry("Ti", BigDecimal.TWO.pow(40)),
                    Map.entry("Pi", BigDecimal.TWO.pow(50)),
                    Map.entry("Ei", BigDecimal.TWO.pow(60)));

    /**
     * Returns {@code null} for what is no quantity, or is negative. What is finer than a thousandth
     * is rounded up here already, quantity by quantity, as the API server does it.
     */
    static @Nullable Quantity parse(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) {
            return null;
        }
        var suffix = match.group(2);
        var unit = suffix == null ? BigDecimal.ONE : UNITS.get(suffix);
        if (unit == null) {
            unit = new BigDecimal("1" + suffix);
        }
        var value = new BigDecimal(match.group(1)).multiply(unit);
        if (text.startsWith("-") && value.signum() != 0) {
            return null;
        }
        return new Quantity(value.setScale(3, RoundingMode.CEILING));
    }

    Quantity plus(Quantity other) {
        return new Quantity(value.add(other.value));
    }

    Quantity max(Quantity other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** Rounded up; cpu in milli, everything else in whole units. */
    BigDecimal unitsOf(String resource) {
        var scaled = resource.equals("cpu") ? value.movePointRight(3) : value;
        return scaled.setScale(0, RoundingMode.CEILING);
    }

    @Override
    public int compareTo(Quantity other) {
        return value.compareTo(other.value);
    }
}
