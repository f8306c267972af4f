package dev.muster.schemas.demand;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An amount of a resource as Kubernetes writes it, exact to the thousandth. */
public record Quantity(BigDecimal value) implements Comparable<Quantity> {
    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO);

    /** What {@link #parse} takes, to be told to whoever wrote something else. */
    public static final String ALLOWED =
            "must be a quantity of Kubernetes that is not negative, as in 500m, 2, 1.5 or 16Gi";

    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);
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
     * Reads what the API server would read. What is finer than a thousandth is rounded up here
     * already, quantity by quantity, as the API server does it.
     *
     * @return null for what is no quantity, is negative, or larger than any quantity that the API
     *     server keeps
     */
    public static @Nullable Quantity parse(String text) {
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

    public Quantity plus(Quantity other) {
        return new Quantity(value.add(other.value));
    }

    public Quantity max(Quantity other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /**
     * The unit in which all services count: cpu in milli, everything else whole; rounded up, and
     * above the largest {@code long} that one.
     */
    public long unitsOf(String resource) {
        var scaled = resource.equals("cpu") ? value.movePointRight(3) : value;
        return scaled.setScale(0, RoundingMode.CEILING).min(LARGEST).longValueExact();
    }

    @Override
    public int compareTo(Quantity other) {
        return value.compareTo(other.value);
    }
}
