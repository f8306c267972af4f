package dev.muster.admission.core;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Copies of maps that are iterated in the order of their keys, in every JVM alike. */
final class Ordered {
    private Ordered() {}

    static <V> SortedMap<String, V> copy(Map<String, ? extends V> map) {
        return Collections.unmodifiableSortedMap(new TreeMap<String, V>(map));
    }
}
