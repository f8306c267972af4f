package dev.muster.watcher.core;

import static java.math.RoundingMode.CEILING;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Kubernetes' quantities as exact numbers: cpu in milli, everything else in whole units. */
final class Quantities {
    private static final Pattern FORM =
            Pattern.compile(
                    "(?<number>[+-]?(?:\\d+\\.?\\d*|\\.\\d+))"
                            + "(?:[eE](?<exponent>[+-]?\\d{1,9})|(?<suffix>[numkMGTPE]|[KMGTPE]i))?");
    private static final String DECIMAL = "num kMGTPE";
    private static final String BINARY = "KMGTPE";
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigDecimal SMALLEST = new BigDecimal("0.000000001");

    /**
     * A number with more digits than this before its point, or zeros after it, is not spelled out.
     */
    private static final int DIGITS = 40;

    private Quantities() {}

    /**
     * The exact number; above the largest {@code long} that one, as the API server has it.
     *
     * @throws IllegalArgumentException for what the API server would not have let in
     */
    static BigDecimal exact(Quantity quantity) {
        var format = quantity.getFormat();
        var text = quantity.getAmount() + (format == null ? "" : format);
        var form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("Not a quantity: " + text);
        }
        var number = new BigDecimal(form.group("number"));
        var exponent = form.group("exponent");
        var suffix = form.group("suffix");
        if (exponent != null) {
            return bounded(number.scaleByPowerOfTen(Integer.parseInt(exponent)));
        }
        return suffix == null ? bounded(number) : bounded(scaled(number, suffix));
    }

    /** In the unit in which room is counted: cpu in milli, everything else whole; rounded up. */
    static long inUnits(String resource, BigDecimal amount) {
        var scaled = resource.equals("cpu") ? amount.scaleByPowerOfTen(3) : amount;
        return scaled.setScale(0, CEILING).min(LARGEST).longValue();
    }

    static Map<String, Long> inUnits(Map<String, Quantity> quantities) {
        var units = new TreeMap<String, Long>();
        quantities.forEach((name, quantity) -> units.put(name, inUnits(name, exact(quantity))));
        return units;
    }

    private static BigDecimal scaled(BigDecimal number, String suffix) {
        if (suffix.endsWith("i")) {
            var power = 10 * (BINARY.indexOf(suffix.charAt(0)) + 1);
            return number.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(power)));
        }
        return number.scaleByPowerOfTen(3 * (DECIMAL.indexOf(suffix) - DECIMAL.indexOf(' ')));
    }

    private static BigDecimal bounded(BigDecimal number) {
        if (number.signum() == 0) {
            return BigDecimal.ZERO;
        }
        var digits = (long) number.precision() - number.scale();
        if (digits > DIGITS) {
            return number.signum() > 0 ? LARGEST : LARGEST.negate();
        }
        if (digits < -DIGITS) {
            return number.signum() > 0 ? SMALLEST : BigDecimal.ZERO;
        }
        return number.min(LARGEST);
    }
}
