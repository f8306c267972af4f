package dev.muster.watcher.core;

import dev.muster.schemas.demand.Quantity;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Quantities of Kubernetes' objects as the contract counts them. */
final class Quantities {
    private Quantities() {}

    /**
     * The exact quantities; none where there is no map.
     *
     * @throws IllegalArgumentException for what the API server would not have let in
     */
    static SortedMap<String, Quantity> exact(
            @Nullable Map<String, io.fabric8.kubernetes.api.model.Quantity> quantities) {
        var exact = new TreeMap<String, Quantity>();
        if (quantities != null) {
            quantities.forEach((name, quantity) -> exact.put(name, exact(quantity)));
        }
        return exact;
    }

    private static Quantity exact(io.fabric8.kubernetes.api.model.Quantity quantity) {
        var format = quantity.getFormat();
        var text = quantity.getAmount() + (format == null ? "" : format);
        var exact = Quantity.parse(text);
        if (exact == null) {
            throw new IllegalArgumentException("Not a quantity: " + text);
        }
        return exact;
    }

    /** Cpu in milli, everything else in whole units, rounded up; none where there is no map. */
    static SortedMap<String, Long> inUnits(
            @Nullable Map<String, io.fabric8.kubernetes.api.model.Quantity> quantities) {
        var units = new TreeMap<String, Long>();
        exact(quantities).forEach((name, quantity) -> units.put(name, quantity.unitsOf(name)));
        return units;
    }
}
