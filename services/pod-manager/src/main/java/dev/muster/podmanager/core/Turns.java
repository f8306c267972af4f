package dev.muster.podmanager.core;

import java.util.List;
import java.util.NavigableMap;
import java.util.stream.Stream;

/** Where not all can be looked at each time, each has its turn. */
final class Turns {
    private Turns() {}

    /**
     * So many of all: those behind the one that was the last, and then from the start.
     *
     * @param last its place; empty: none was
     */
    static <V> List<V> behind(NavigableMap<String, V> all, String last, int most) {
        return Stream.concat(
                        all.tailMap(last, false).values().stream(),
                        all.headMap(last, true).values().stream())
                .limit(most)
                .toList();
    }
}
