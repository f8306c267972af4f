package dev.muster.watcher.core;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a node's pool cannot use because pods of others do: summed by node, and told so seldom as
 * can be. Less room is told at once, more room at most once in {@code moreRoomEvery}.
 */
final class OthersUse {
    /** Whose pods belong to no pool of ours. */
    private static final String NOBODY = "";

    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private final Duration moreRoomEvery;

    /** By node and by the pool that the pods are labelled for. */
    private final Map<String, Map<String, Map<String, BigInteger>>> used = new TreeMap<>();

    private final Map<String, Told> told = new TreeMap<>();
    private final Map<String, Instant> due = new TreeMap<>();

    private record Told(Map<String, Long> sum, Instant at) {}

    OthersUse(Duration moreRoomEvery) {
        this.moreRoomEvery = moreRoomEvery;
    }

    void add(WatchedPod pod) {
        if (pod.usedNode() != null) {
            var sum =
                    used.computeIfAbsent(pod.usedNode(), any -> new TreeMap<>())
                            .computeIfAbsent(pod.pool().orElse(NOBODY), any -> new TreeMap<>());
            pod.demand().forEach((name, amount) -> sum.merge(name, exact(amount), BigInteger::add));
        }
    }

    void remove(WatchedPod pod) {
        var node = pod.usedNode() == null ? null : used.get(pod.usedNode());
        var sum = node == null ? null : node.get(pod.pool().orElse(NOBODY));
        if (node != null && sum != null) {
            pod.demand()
                    .forEach((name, amount) ->
                            sum.computeIfPresent(name, (any, all) -> less(all, exact(amount))));
            node.values().removeIf(Map::isEmpty);
            if (node.isEmpty()) {
                used.remove(pod.usedNode());
            }
        }
    }

    /** What pods that are not of {@code pool} use of the node. */
    Map<String, Long> of(String node, String pool) {
        var sum = new TreeMap<String, BigInteger>();
        used.getOrDefault(node, Map.of())
                .forEach((other, amounts) -> {
                    if (!other.equals(pool)) {
                        amounts.forEach((name, n) -> sum.merge(name, n, BigInteger::add));
                    }
                });
        var whole = new TreeMap<String, Long>();
        sum.forEach((name, amount) -> whole.put(name, amount.min(LARGEST).longValue()));
        return Collections.unmodifiableMap(whole);
    }

    /** Whether the node's pool was told of it at all. */
    boolean wasTold(String node) {
        return told.containsKey(node);
    }

    /** The sum, to be told now whatever was told before. */
    Map<String, Long> tell(String node, String pool, Instant now) {
        var sum = of(node, pool);
        told.put(node, new Told(sum, now));
        due.remove(node);
        return sum;
    }

    /** The sum if it is to be told now; else nothing, and if it is news it falls due later. */
    Optional<Map<String, Long>> news(String node, String pool, Instant now) {
        var sum = of(node, pool);
        var last = told.get(node);
        if (last != null && last.sum().equals(sum)) {
            due.remove(node);
            return Optional.empty();
        }
        if (last != null && !isLessRoom(last.sum(), sum)) {
            var next = last.at().plus(moreRoomEvery);
            if (next.isAfter(now)) {
                due.put(node, next);
                return Optional.empty();
            }
        }
        return Optional.of(tell(node, pool, now));
    }

    /** Nothing counts as told of the node any more: another pool has it now. */
    void forget(String node) {
        told.remove(node);
        due.remove(node);
    }

    List<String> due(Instant now) {
        return due.entrySet().stream()
                .filter(entry -> !entry.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
    }

    Optional<Instant> nextDue() {
        return due.values().stream().min(Comparator.naturalOrder());
    }

    private static boolean isLessRoom(Map<String, Long> before, Map<String, Long> sum) {
        return sum.entrySet().stream()
                .anyMatch(use -> use.getValue() > before.getOrDefault(use.getKey(), 0L));
    }

    private static BigInteger exact(long amount) {
        return BigInteger.valueOf(amount);
    }

    private static @Nullable BigInteger less(BigInteger all, BigInteger amount) {
        var rest = all.subtract(amount);
        return rest.signum() > 0 ? rest : null;
    }
}
