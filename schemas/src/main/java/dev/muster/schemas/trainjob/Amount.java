package dev.muster.schemas.trainjob;

import dev.muster.schemas.demand.Quantity;
import java.util.OptionalLong;

/**
 * An amount of a resource: to users a quantity of Kubernetes, in the contract a number, cpu in
 * milli and everything else in whole units.
 */
public final class Amount {
    private static final String CPU = "cpu";

    /** Largest first: the first that divides an amount shows it shortest. */
    private static final String[] BINARY_UNITS = {"Ei", "Pi", "Ti", "Gi", "Mi", "Ki"};

    private Amount() {}

    /**
     * The contract's number, what is finer rounded up.
     *
     * @return empty where the text is no quantity, a negative one, or more than fits
     */
    static OptionalLong parse(String resource, String text) {
        var quantity = Quantity.parse(text);
        if (quantity == null) {
            return OptionalLong.empty();
        }
        long units = quantity.unitsOf(resource);
        return units == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(units);
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
            long unit = 1L << (10 * (BINARY_UNITS.length - i));
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
