package dev.muster.watcher.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a node's pool cannot use because pods of others do: summed by node. */
final class OthersUse {
    private final Usage usage = new Usage(WatchedPod::demand);
    private final RoomNews<String, Map<String, Long>> news;

    OthersUse(Duration moreRoomEvery) {
        news = new RoomNews<>(moreRoomEvery, OthersUse::isLessRoom);
    }

    void add(WatchedPod pod) {
        if (pod.usedNode() != null) {
            usage.add(pod.usedNode(), pod);
        }
    }

    void remove(WatchedPod pod) {
        if (pod.usedNode() != null) {
            usage.remove(pod.usedNode(), pod);
        }
    }

    /** What pods that are not of {@code pool} use of the node. */
    Map<String, Long> of(String node, String pool) {
        return usage.ofOthers(node, pool);
    }

    /** Whether the node's pool was told of it at all. */
    boolean wasTold(String node) {
        return news.wasTold(node);
    }

    /** The sum, to be told now whatever was told before. */
    Map<String, Long> tell(String node, String pool, Instant now) {
        return news.tell(node, of(node, pool), now);
    }

    /** The sum if it is to be told now; else nothing, and if it is news it falls due later. */
    Optional<Map<String, Long>> news(String node, String pool, Instant now) {
        return news.news(node, of(node, pool), now);
    }

    /** Nothing counts as told of the node any more: another pool has it now. */
    void forget(String node) {
        news.forget(node);
    }

    List<String> due(Instant now) {
        return news.due(now);
    }

    Optional<Instant> nextDue() {
        return news.nextDue();
    }

    private static boolean isLessRoom(Map<String, Long> before, Map<String, Long> sum) {
        return sum.entrySet().stream()
                .anyMatch(use -> use.getValue() > before.getOrDefault(use.getKey(), 0L));
    }
}
