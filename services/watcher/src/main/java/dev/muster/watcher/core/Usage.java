package dev.muster.watcher.core;

import java.math.BigInteger;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What pods use of places, such as nodes or namespaces: exact sums, by the pool that the pods are
 * labelled for.
 */
final class Usage {
    /** Whose pods belong to no pool of ours. */
    private static final String NOBODY = "";

    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private final Function<WatchedPod, Map<String, Long>> counted;

    /** By place and pool. */
    private final Map<String, Map<String, Map<String, BigInteger>>> used = new TreeMap<>();

    /**
     * @param counted of a pod, always the same
     */
    Usage(Function<WatchedPod, Map<String, Long>> counted) {
        this.counted = counted;
    }

    void add(String place, WatchedPod pod) {
        var sum =
                used.computeIfAbsent(place, any -> new TreeMap<>())
                        .computeIfAbsent(pod.pool().orElse(NOBODY), any -> new TreeMap<>());
        counted.apply(pod)
                .forEach((name, amount) -> sum.merge(name, exact(amount), BigInteger::add));
    }

    /** Takes back what was added; what never was is not missed. */
    void remove(String place, WatchedPod pod) {
        var there = used.get(place);
        var sum = there == null ? null : there.get(pod.pool().orElse(NOBODY));
        if (there != null && sum != null) {
            counted.apply(pod)
                    .forEach((name, amount) ->
                            sum.computeIfPresent(name, (any, all) -> less(all, exact(amount))));
            there.values().removeIf(Map::isEmpty);
            if (there.isEmpty()) {
                used.remove(place);
            }
        }
    }

    /** What pods that are not of {@code pool} use of the place. */
    SortedMap<String, Long> ofOthers(String place, String pool) {
        var sum = new TreeMap<String, BigInteger>();
        used.getOrDefault(place, Map.of())
                .forEach((other, amounts) -> {
                    if (!other.equals(pool)) {
                        amounts.forEach((name, n) -> sum.merge(name, n, BigInteger::add));
                    }
                });
        var whole = new TreeMap<String, Long>();
        sum.forEach((name, amount) -> whole.put(name, amount.min(LARGEST).longValue()));
        return Collections.unmodifiableSortedMap(whole);
    }

    private static BigInteger exact(long amount) {
        return BigInteger.valueOf(amount);
    }

    private static @Nullable BigInteger less(BigInteger all, BigInteger amount) {
        var rest = all.subtract(amount);
        return rest.signum() > 0 ? rest : null;
    }
}
