package dev.muster.watcher.core;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which pool has which node. A node that changes pools is in neither until the old one is known to
 * have heard of it: two coordinators never count the same node.
 */
final class PoolAssignment {
    private Pools pools = Pools.NONE;
    private final Map<String, NodeReport> nodes = new TreeMap<>();
    private final Map<String, Pool> taken = new TreeMap<>();

    private final Map<String, Leaving> leaving = new TreeMap<>();

    private final Set<String> overlaps = new HashSet<>();

    /**
     * A node moves, or is no longer there.
     *
     * @param from the pools that have still to hear that they lost it
     * @param since when it left the last of them while others told of nodes; null: we did
     */
    private record Leaving(Map<String, Pool> from, @Nullable Instant since) {}

    /** A node that left a pool. */
    record Left(String node, Pool pool) {}

    /** Two pools whose selectors meet, for one in {@code node}; {@code taker} has it. */
    record Overlap(String taker, String other, String node) {}

    /**
     * The nodes that leave a pool because the pools are now these.
     *
     * @param standby now, if others tell of nodes; null: we do
     */
    List<Left> use(Pools these, @Nullable Instant standby) {
        pools = these;
        var left = new ArrayList<Left>();
        nodes.values().forEach(node -> assign(node, standby).ifPresent(left::add));
        return left;
    }

    /**
     * Takes a node as it is now; it may leave a pool by that.
     *
     * @param standby now, if others tell of nodes; null: we do
     */
    Optional<Left> put(NodeReport node, @Nullable Instant standby) {
        nodes.put(node.name(), node);
        return assign(node, standby);
    }

    /**
     * Forgets these nodes; the answer: those that had a pool. If one of such a name comes, it is in
     * no other pool before all that had this one are known to have heard.
     *
     * @param standby now, if others tell of nodes; null: we do
     */
    List<Left> remove(Collection<String> these, @Nullable Instant standby) {
        var left = new ArrayList<Left>();
        for (var node : these) {
            nodes.remove(node);
            Optional.ofNullable(taken.remove(node))
                    .ifPresent(pool -> left.add(new Left(node, pool)));
        }
        left.forEach(it -> leave(it, standby));
        return left;
    }

    Optional<NodeReport> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /** The pool that has the node, once every earlier one has let it go. */
    Optional<Pool> settledPoolOf(String node) {
        return leaving.containsKey(node) ? Optional.empty() : Optional.ofNullable(taken.get(node));
    }

    Collection<NodeReport> settledNodesOf(String pool) {
        return nodes.values().stream()
                .filter(node -> settledPoolOf(node.name()).filter(named(pool)).isPresent())
                .toList();
    }

    /** The names of the pools that have still to hear of nodes that they lost. */
    Set<String> awaited() {
        var names = new TreeSet<String>();
        leaving.values().forEach(move -> names.addAll(move.from().keySet()));
        return names;
    }

    /** The nodes that the pool has still to hear that it lost. */
    Set<String> leaving(String pool) {
        var names = new TreeSet<String>();
        leaving.forEach((node, move) -> {
            if (move.from().containsKey(pool)) {
                names.add(node);
            }
        });
        return names;
    }

    /** From now on others tell of nodes, and of the moves that nobody has confirmed to us. */
    void standBy(Instant now) {
        leaving.replaceAll(
                (_, move) -> move.since() == null ? new Leaving(move.from(), now) : move);
    }

    /** Whoever lost a node before then has heard of it from whoever told of nodes then. */
    void settle(Instant before) {
        leaving.values().removeIf(move -> move.since() != null && move.since().isBefore(before));
    }

    /** The pools of {@code heard} know what left them; the answer: nodes that are free by that. */
    List<String> released(Predicate<Pool> heard) {
        var free = new ArrayList<String>();
        leaving.forEach((node, move) -> {
            move.from().values().removeIf(heard);
            if (move.from().isEmpty()) {
                free.add(node);
            }
        });
        free.forEach(leaving::remove);
        return free;
    }

    /** Overlaps that were not told before. */
    List<Overlap> newOverlaps(Collection<NodeReport> among) {
        var found = new ArrayList<Overlap>();
        for (var node : among) {
            var taker = taken.get(node.name());
            if (taker != null) {
                pools.overlapping(node).stream()
                        .map(other -> new Overlap(taker.name(), other.name(), node.name()))
                        .filter(overlap -> overlaps.add(overlap.taker() + " " + overlap.other()))
                        .forEach(found::add);
            }
        }
        return found;
    }

    Collection<NodeReport> nodes() {
        return Collections.unmodifiableCollection(nodes.values());
    }

    Collection<String> names() {
        return Collections.unmodifiableCollection(nodes.keySet());
    }

    private Optional<Left> assign(NodeReport node, @Nullable Instant standby) {
        var name = node.name();
        var next = pools.takerOf(node);
        var before = Optional.ofNullable(taken.get(name));
        next.ifPresentOrElse(pool -> taken.put(name, pool), () -> taken.remove(name));
        var left =
                before.filter(pool -> next.filter(pool::hasInboxOf).isEmpty())
                        .map(pool -> new Left(name, pool));
        left.ifPresent(it -> leave(it, standby));
        next.ifPresent(pool -> comeTo(pool, name));
        return left;
    }

    private void leave(Left left, @Nullable Instant standby) {
        var known = leaving.get(left.node());
        var from = known == null ? new TreeMap<String, Pool>() : known.from();
        from.put(left.pool().name(), left.pool());
        leaving.put(left.node(), new Leaving(from, standby));
    }

    /** It need not hear that it lost what it has again. */
    private void comeTo(Pool pool, String node) {
        leaving.computeIfPresent(
                node,
                (_, move) -> {
                    move.from().values().removeIf(pool::hasInboxOf);
                    return move.from().isEmpty() ? null : move;
                });
    }

    private static Predicate<Pool> named(String name) {
        return pool -> pool.name().equals(name);
    }
}
