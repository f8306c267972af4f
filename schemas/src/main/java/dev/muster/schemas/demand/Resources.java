package dev.muster.schemas.demand;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What one container, or a pod as a whole, says that it needs. */
public record Resources(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    public Resources {
        requests = Collections.unmodifiableSortedMap(new TreeMap<>(requests));
        limits = Collections.unmodifiableSortedMap(new TreeMap<>(limits));
    }

    /** Requests, and limits where a resource has no request. */
    public SortedMap<String, Quantity> asked() {
        var asked = new TreeMap<>(limits);
        asked.putAll(requests);
        return asked;
    }
}
