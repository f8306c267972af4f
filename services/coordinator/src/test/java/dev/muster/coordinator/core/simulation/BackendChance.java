package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Backend;
import dev.muster.coordinator.core.model.PoolSpec.Backing;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A pool whose pods another scheduler binds, wherever it likes: what is kept for a pod is kept
 * where it was seen to be.
 */
final class BackendChance implements Piece {
    private final Random random;
    private final Backing backing;
    private final TreeSet<String> nodes = new TreeSet<>();
    private final Map<String, String> bound = new TreeMap<>();

    /** The newest sight of each pod, by its uid: what is older says nothing. */
    private final Map<String, Event.Pod> newest = new TreeMap<>();

    private int weighed;

    /**
     * @param delegated the pool reserves nothing
     */
    BackendChance(long seed, boolean delegated) {
        random = new Random(seed ^ 0xbac6L);
        backing = new Backing(Backend.VOLCANO, delegated, null);
    }

    @Override
    public Set<Backend> backends() {
        return Set.of(Backend.VOLCANO);
    }

    @Override
    public Event of(Event event) {
        return switch (event) {
            case Event.PoolPut(var name, var spec, var request) ->
                    new Event.PoolPut(name, backed(spec), request);
            case Event.PoolChange(var name, var spec, var fields, var request) ->
                    new Event.PoolChange(name, backed(spec), fields, request);
            case Event.PodManagerAlive(var instance, var partitions, _, var recreates) ->
                    new Event.PodManagerAlive(instance, partitions, backends(), recreates);
            case Event.NodeSeen(_, var node) -> {
                nodes.add(node.name());
                yield event;
            }
            case Event.NodeReleased(_, var node, _) -> {
                nodes.remove(node);
                yield event;
            }
            default -> event;
        };
    }

    private PoolSpec backed(PoolSpec spec) {
        return new PoolSpec(
                spec.nodeSelector(),
                spec.policy(),
                spec.preemption(),
                spec.priorities(),
                spec.spot(),
                backing,
                spec.notices(),
                spec.nodeHealth());
    }

    @Override
    public @Nullable String bound(String podUid, @Nullable String node) {
        if (nodes.isEmpty()) {
            return null;
        }
        var chosen = List.copyOf(nodes).get(random.nextInt(nodes.size()));
        return bound.computeIfAbsent(podUid, _ -> chosen);
    }

    @Override
    public void isKept(Play play, @Nullable Event event) {
        if (event instanceof Event.PodSeen(_, _, var pod)) {
            newest.merge(
                    pod.mark().podUid(),
                    pod,
                    (a, b) -> a.resourceVersion() > b.resourceVersion() ? a : b);
        }
        for (var row : play.rows.getOrDefault(Row.Table.RANK, new TreeMap<>()).values()) {
            var rank = (Rank) row;
            var uid = rank.sight().podUid();
            var seen = uid == null ? null : newest.get(uid);
            if (seen != null && seen.node() != null && !rank.sight().over()) {
                weighed++;
                if (!rank.making().node().equals(bound.get(uid))) {
                    throw new AssertionError("%s is on %s".formatted(rank, bound.get(uid)));
                }
            }
        }
    }

    @Override
    public int weighed() {
        return weighed;
    }
}
