package dev.muster.coordinator.core.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Resources by number, in the order in which they were met; no answer depends on the numbers. */
public final class Resources {
    static final int UNKNOWN = -1;

    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final List<String> names = new ArrayList<>();

    int meet(String name) {
        var known = numbers.get(name);
        if (known != null) {
            return known;
        }
        numbers.put(name, names.size());
        names.add(name);
        return names.size() - 1;
    }

    /** {@link #UNKNOWN} when nothing of that name was met: what asks for it grows no table. */
    public int find(String name) {
        return numbers.getOrDefault(name, UNKNOWN);
    }

    String name(int number) {
        return names.get(number);
    }

    public int count() {
        return names.size();
    }
}
