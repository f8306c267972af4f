package dev.muster.watcher.core;

import dev.muster.watcher.core.Quota.Scope;
import dev.muster.watcher.core.Report.QuotaGone;
import dev.muster.watcher.core.Report.QuotaSeen;
import dev.muster.watcher.core.WatchedPod.PodName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the quotas of each namespace allow, and what pods that are not a pool's use of that.
 *
 * <p>A pool hears of one amount of each name, the least, and of one use of it: as much as leaves it
 * what the quota allows that leaves least.
 */
final class NamespaceQuotas {
    private final Map<String, Map<PodName, Quota>> quotas = new TreeMap<>();

    /** By what quotas tell pods apart. */
    private final Map<QuotaTraits, Usage> usage = new LinkedHashMap<>();

    private final RoomNews<Place, QuotaSeen> news;

    /** One pool's share of a namespace. */
    record Place(String namespace, String pool) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            var byNamespace = namespace.compareTo(other.namespace);
            return byNamespace != 0 ? byNamespace : pool.compareTo(other.pool);
        }
    }

    NamespaceQuotas(Duration moreRoomEvery) {
        news = new RoomNews<>(moreRoomEvery, NamespaceQuotas::isLessRoom);
    }

    void add(WatchedPod pod) {
        usage.computeIfAbsent(pod.traits(), any -> new Usage(Quotas::counted))
                .add(pod.name().namespace(), pod);
    }

    void remove(WatchedPod pod) {
        var alike = usage.get(pod.traits());
        if (alike != null) {
            alike.remove(pod.name().namespace(), pod);
        }
    }

    void put(Quota quota) {
        var ofNamespace = quotas.computeIfAbsent(quota.namespace(), any -> new TreeMap<>());
        ofNamespace.put(quota.fullName(), quota);
    }

    void remove(PodName name) {
        quotas.getOrDefault(name.namespace(), new TreeMap<>()).remove(name);
    }

    List<PodName> names() {
        return quotas.values().stream().flatMap(some -> some.keySet().stream()).toList();
    }

    /** What there is to say to the pool of the namespace now. */
    Optional<Report> news(Place place, Instant now) {
        var hard = hard(place.namespace());
        if (!hard.isEmpty()) {
            return news.news(place, seen(place, hard), now).map(seen -> seen);
        }
        var wasTold = news.wasTold(place);
        news.forget(place);
        return wasTold ? Optional.of(new QuotaGone(place.namespace())) : Optional.empty();
    }

    /** Everything, to be told to the pool now whatever was told before. */
    List<Report> tellAll(String pool, Instant now) {
        var reports = new ArrayList<Report>();
        for (var namespace : quotas.keySet()) {
            var place = new Place(namespace, pool);
            var hard = hard(namespace);
            if (hard.isEmpty()) {
                news.forget(place);
            } else {
                reports.add(news.tell(place, seen(place, hard), now));
            }
        }
        return reports;
    }

    /** Nothing counts as told to the pool of the namespace any more. */
    void forget(Place place) {
        news.forget(place);
    }

    List<Place> due(Instant now) {
        return news.due(now);
    }

    Optional<Instant> nextDue() {
        return news.nextDue();
    }

    /** The least of each resource. */
    private SortedMap<String, Long> hard(String namespace) {
        var least = new TreeMap<String, Long>();
        quotas.getOrDefault(namespace, Map.of())
                .values()
                .forEach(quota ->
                        quota.hard()
                                .forEach((resource, amount) ->
                                        least.merge(resource, amount, Math::min)));
        return least;
    }

    private QuotaSeen seen(Place place, SortedMap<String, Long> hard) {
        var used = new TreeMap<String, Long>();
        var byScope = new LinkedHashMap<Scope, Map<String, Long>>();
        for (var quota : quotas.getOrDefault(place.namespace(), Map.of()).values()) {
            var others = byScope.computeIfAbsent(quota.scope(), scope -> used(place, scope));
            quota.hard()
                    .forEach((name, amount) -> {
                        long more = amount - hard.getOrDefault(name, amount);
                        long use = others.getOrDefault(name, 0L) - more;
                        if (use > 0) {
                            used.merge(name, use, Math::max);
                        }
                    });
        }
        return new QuotaSeen(place.namespace(), hard, used);
    }

    /** What pods of others that the scope counts use. */
    private Map<String, Long> used(Place place, Scope scope) {
        var used = new TreeMap<String, Long>();
        usage.forEach((traits, alike) -> {
            if (scope.counts(traits)) {
                alike.ofOthers(place.namespace(), place.pool())
                        .forEach((name, amount) -> used.merge(name, amount, NamespaceQuotas::sum));
            }
        });
        return used;
    }

    private static long sum(long some, long more) {
        return some > Long.MAX_VALUE - more ? Long.MAX_VALUE : some + more;
    }

    private static boolean isLessRoom(QuotaSeen before, QuotaSeen now) {
        return now.hard().keySet().stream()
                .anyMatch(resource ->
                        !before.hard().containsKey(resource)
                                || room(now, resource) < room(before, resource));
    }

    private static long room(QuotaSeen seen, String resource) {
        return seen.hard().getOrDefault(resource, 0L)
                - seen.othersUsed().getOrDefault(resource, 0L);
    }
}
