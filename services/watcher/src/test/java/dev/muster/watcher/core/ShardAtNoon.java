package dev.muster.watcher.core;

import static dev.muster.watcher.core.Cluster.ours;

import dev.muster.watcher.core.Effect.Publish;
import dev.muster.watcher.core.Report.NodeSeen;
import dev.muster.watcher.core.Report.PodGone;
import dev.muster.watcher.core.Report.PodSeen;
import dev.muster.watcher.core.ShardEvent.Kind;
import dev.muster.watcher.core.ShardEvent.LeaseGained;
import dev.muster.watcher.core.ShardEvent.ListBegins;
import dev.muster.watcher.core.ShardEvent.Listed;
import dev.muster.watcher.core.ShardEvent.NodeChanged;
import dev.muster.watcher.core.ShardEvent.NodeDeleted;
import dev.muster.watcher.core.ShardEvent.Outdated;
import dev.muster.watcher.core.ShardEvent.PodChanged;
import dev.muster.watcher.core.ShardEvent.PodDeleted;
import dev.muster.watcher.core.ShardEvent.PoolsChanged;
import dev.muster.watcher.core.ShardEvent.QuotaChanged;
import dev.muster.watcher.core.ShardEvent.QuotaDeleted;
import dev.muster.watcher.core.WatchedPod.PodName;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A shard at noon, and short words for what it hears and tells. */
final class ShardAtNoon {
    static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    static final Pool DEFAULT = new Pool("default", 0, Map.of(), false, false);
    static final Pool GPU = new Pool("gpu", 0, Map.of("gpu", "yes"), false, false);
    static final Pool REST = new Pool("rest", 1, Map.of(), false, false);
    static final Pools ONE = new Pools(List.of(DEFAULT));
    static final Pools TWO = new Pools(List.of(GPU, REST));
    static final Pod POD = ours("a", "n1");
    static final Map<String, Long> ONE_CPU = Map.of("cpu", 1000L, "pods", 1L);

    final Shard shard;

    /** What was heard of last, by its name. */
    private final Map<Kind, Map<Object, ShardEvent>> there = new EnumMap<>(Kind.class);

    ShardAtNoon(int number) {
        shard = new Shard(number, Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    List<Effect> ready(Pools pools) {
        on(new PoolsChanged(pools));
        return wins(NOON, 7);
    }

    /** The lease is won, and all that is there is listed anew as it was heard of last. */
    List<Effect> wins(Instant now, long epoch) {
        at(now, new Outdated());
        at(now, new LeaseGained(epoch));
        var told = List.<Effect>of();
        for (var kind : Kind.values()) {
            at(now, new ListBegins(kind));
            there.getOrDefault(kind, Map.of()).values().forEach(event -> at(now, event));
            told = at(now, new Listed(kind));
        }
        return told;
    }

    List<Effect> on(ShardEvent event) {
        return at(NOON, event);
    }

    List<Effect> at(Instant now, ShardEvent event) {
        switch (event) {
            case PodChanged(var pod) -> there(Kind.PODS).put(pod.name(), event);
            case PodDeleted(var pod) -> there(Kind.PODS).remove(pod);
            case NodeChanged(var node) -> there(Kind.NODES).put(node.name(), event);
            case NodeDeleted(var node) -> there(Kind.NODES).remove(node);
            case QuotaChanged(var quota) -> there(Kind.QUOTAS).put(quota.fullName(), event);
            case QuotaDeleted(var namespace, var name) ->
                    there(Kind.QUOTAS).remove(new PodName(namespace, name));
            default -> {}
        }
        return shard.on(event, now);
    }

    private Map<Object, ShardEvent> there(Kind kind) {
        return there.computeIfAbsent(kind, _ -> new TreeMap<>());
    }

    static Effect to(Pool pool, Report report) {
        return new Publish(pool, report);
    }

    static ShardEvent seen(Pod pod) {
        return new PodChanged(new Pods("muster").read(pod));
    }

    static ShardEvent seen(Node node) {
        return new NodeChanged(Nodes.read(node));
    }

    static Report podSeen(Pod pod) {
        return new PodSeen(new Pods("muster").read(pod).report());
    }

    static Report gone(Pod pod) {
        return new PodGone(new Pods("muster").read(pod).report().identity());
    }

    static Report nodeSeen(Node node) {
        return new NodeSeen(Nodes.read(node));
    }

    static Pod newVersion(Pod pod) {
        return new PodBuilder(pod).editMetadata().withResourceVersion("999").endMetadata().build();
    }

    static Node newVersion(Node node) {
        return new NodeBuilder(node).editMetadata().withResourceVersion("99").endMetadata().build();
    }
}
