package dev.muster.watcher.core;

import dev.muster.watcher.core.Quota.Scope;
import dev.muster.watcher.core.Report.QuotaGone;
import dev.muster.watcher.core.Report.QuotaSeen;
import dev.muster.watcher.core.WatchedPod.PodName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

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

    /** Pods that were told to go and are charged still, by until when. */
    private final SortedMap<End, WatchedPod> leaving = new TreeMap<>();

    private final Set<PodName> uncharged = new TreeSet<>();
    private final RoomNews<Place, QuotaSeen> news;

    private record End(Instant at, PodName pod) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            var byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : pod.compareTo(other.pod);
        }
    }

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

    void add(WatchedPod pod, Instant now) {
        var end = pod.chargedUntil();
        if (end != null && !end.isAfter(now)) {
            uncharged.add(pod.name());
            count(pod.asEnded());
            return;
        }
        if (end != null) {
            leaving.put(new End(end, pod.name()), pod);
        }
        count(pod);
    }

    void remove(WatchedPod pod) {
        var end = pod.chargedUntil();
        if (end != null) {
            leaving.remove(new End(end, pod.name()));
        }
        var counted = uncharged.remove(pod.name()) ? pod.asEnded() : pod;
        var alike = usage.get(pod.traits());
        if (alike != null) {
            alike.remove(pod.name().namespace(), counted);
        }
    }

    private void count(WatchedPod pod) {
        usage.computeIfAbsent(pod.traits(), any -> new Usage(Quotas::counted))
                .add(pod.name().namespace(), pod);
    }

    /** The namespaces with pods that are charged no more from now on. */
    Set<String> uncharge(Instant now) {
        var namespaces = new TreeSet<String>();
        while (!leaving.isEmpty() && !leaving.firstKey().at().isAfter(now)) {
            var pod = leaving.firstEntry().getValue();
            remove(pod);
            add(pod, now);
            namespaces.add(pod.name().namespace());
        }
        return namespaces;
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
        var end = leaving.keySet().stream().map(End::at).limit(1);
        return Stream.concat(news.nextDue().stream(), end).min(Comparator.naturalOrder());
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
