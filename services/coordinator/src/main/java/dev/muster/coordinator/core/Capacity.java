package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Fit.Placed;
import dev.muster.coordinator.core.Fit.Placement;
import dev.muster.coordinator.core.Fit.Short;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The nodes of a pool, what others use of them, and what our jobs hold. */
final class Capacity {
    private final SortedMap<String, Node> nodes = new TreeMap<>();
    private final SortedMap<String, SortedMap<Integer, Others>> others = new TreeMap<>();
    private final Map<String, Amounts> held = new LinkedHashMap<>();

    /** What a fit may count on: everything that is free, or the pool as if none of our jobs ran. */
    private enum View {
        NOW,
        EMPTY
    }

    private record Room(Node node, long pods) {}

    void put(Node node) {
        nodes.put(node.name(), node);
    }

    void removeNode(String name) {
        nodes.remove(name);
    }

    void put(Others use) {
        others.computeIfAbsent(use.node(), _ -> new TreeMap<>()).put(use.shard(), use);
    }

    void remove(Others use) {
        var shards = others.get(use.node());
        if (shards != null && shards.remove(use.shard()) != null && shards.isEmpty()) {
            others.remove(use.node());
        }
    }

    void hold(String node, Amounts demand) {
        held.merge(node, demand, Amounts::plus);
    }

    void release(String node, Amounts demand) {
        held.computeIfPresent(
                node,
                (_, sum) -> {
                    var left = sum.minus(demand);
                    return left.byName().isEmpty() ? null : left;
                });
    }

    boolean hasNodes() {
        return !nodes.isEmpty();
    }

    @Nullable Node node(String name) {
        return nodes.get(name);
    }

    List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    @Nullable Others others(String node, int shard) {
        return others.getOrDefault(node, new TreeMap<>()).get(shard);
    }

    /** Of one shard, by node. */
    List<Others> othersOf(int shard) {
        return others.values().stream()
                .flatMap(shards -> Stream.ofNullable(shards.get(shard)))
                .toList();
    }

    /** May be negative where a node shrank, or where others were faster. */
    Amounts free(Node node) {
        return free(node, View.NOW);
    }

    private Amounts free(Node node, View view) {
        var free = node.allocatable();
        for (var use : others.getOrDefault(node.name(), new TreeMap<>()).values()) {
            free = free.minus(use.used());
        }
        return view == View.NOW ? free.minus(held.getOrDefault(node.name(), Amounts.NONE)) : free;
    }

    /**
     * Finds a node for every pod of the gang.
     *
     * <p>Roles with the fewest nodes to choose from go first; of the nodes, the one that holds all
     * that is left of a role with the least to spare, else the one that holds the most: gangs use
     * few nodes and leave large rooms whole. Ties go by name.
     */
    Fit fit(Shape shape) {
        var pods = place(shape, View.NOW);
        return pods.isPresent() ? new Placed(pods.get()) : explain(shape);
    }

    /** Whether the gang would fit if none of our jobs ran. */
    boolean couldEverFit(Shape shape) {
        return place(shape, View.EMPTY).isPresent();
    }

    private Optional<List<Placement>> place(Shape shape, View view) {
        var taken = new LinkedHashMap<String, Amounts>();
        var placed = new TreeMap<RankId, Placement>();
        var byChoice =
                shape.parts().stream()
                        .sorted(Comparator.comparingLong(part -> matching(part).size()))
                        .toList();
        for (var part : byChoice) {
            int next = 0;
            for (var room : choose(part, view, taken)) {
                for (long i = 0; i < room.pods(); i++) {
                    var rank = new RankId(part.role(), next++);
                    placed.put(rank, new Placement(rank, room.node().name()));
                }
                taken.merge(room.node().name(), part.demand().times(room.pods()), Amounts::plus);
            }
            if (next < part.pods()) {
                return Optional.empty();
            }
        }
        var inOrder = new ArrayList<Placement>();
        for (var part : shape.parts()) {
            inOrder.addAll(
                    placed.subMap(new RankId(part.role(), 0), new RankId(part.role(), part.pods()))
                            .values());
        }
        return Optional.of(inOrder);
    }

    private List<Room> choose(Shape.Part part, View view, Map<String, Amounts> taken) {
        var rooms = new ArrayList<Room>();
        for (var node : matching(part)) {
            var free = free(node, view).minus(taken.getOrDefault(node.name(), Amounts.NONE));
            long pods = Math.min(part.demand().timesIn(free), part.pods());
            if (pods > 0) {
                rooms.add(new Room(node, part.demand().timesIn(free)));
            }
        }
        rooms.sort(Comparator.comparingLong(Room::pods).thenComparing(room -> room.node().name()));
        var chosen = new ArrayList<Room>();
        long left = part.pods();
        while (left > 0 && !rooms.isEmpty()) {
            int at = firstThatHolds(rooms, left);
            var room = rooms.remove(at);
            long pods = Math.min(left, room.pods());
            chosen.add(new Room(room.node(), pods));
            left -= pods;
        }
        return chosen;
    }

    /** Index of the smallest room for all, else of the largest (of those, the first by name). */
    private static int firstThatHolds(List<Room> rooms, long pods) {
        int low = 0;
        int high = rooms.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (rooms.get(middle).pods() >= pods) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if (low < rooms.size()) {
            return low;
        }
        int at = rooms.size() - 1;
        while (at > 0 && rooms.get(at - 1).pods() == rooms.getLast().pods()) {
            at--;
        }
        return at;
    }

    private List<Node> matching(Shape.Part part) {
        return nodes.values().stream()
                .filter(node -> node.takesPods() && part.filter().accepts(node))
                .toList();
    }

    private Short explain(Shape shape) {
        boolean never = !couldEverFit(shape);
        for (var part : shape.parts()) {
            if (matching(part).isEmpty()) {
                return noNode(part, never);
            }
        }
        var need = shape.total();
        for (var resource : need.byName().keySet()) {
            var scarce = sumFree(shape, resource);
            if (scarce < need.get(resource)) {
                return shortOf(resource, need.get(resource), scarce, never);
            }
        }
        return scattered(shape, never);
    }

    private Short noNode(Shape.Part part, boolean never) {
        long labelled = nodes.values().stream().filter(part.filter()::matchesLabels).count();
        long tolerated =
                nodes.values().stream()
                        .filter(n -> part.filter().matchesLabels(n) && part.filter().tolerates(n))
                        .count();
        return new Short(
                WaitReason.Code.NO_MATCHING_NODE,
                part.role(),
                null,
                "a node that role " + part.role() + " accepts, ready and schedulable",
                "role %s: of %d nodes, %d have the labels it asks for, %d of those no taint that it does not tolerate, none of those takes pods"
                        .formatted(part.role(), nodes.size(), labelled, tolerated),
                never);
    }

    private long sumFree(Shape shape, String resource) {
        long sum = 0;
        for (var node : nodes.values()) {
            boolean wanted =
                    node.takesPods()
                            && shape.parts().stream()
                                    .anyMatch(part ->
                                            part.demand().get(resource) > 0
                                                    && part.filter().accepts(node));
            if (wanted) {
                sum += Math.max(0, free(node).get(resource));
            }
        }
        return sum;
    }

    private static Short shortOf(String resource, long need, long have, boolean never) {
        return new Short(
                WaitReason.Code.INSUFFICIENT_CAPACITY,
                resource,
                new WaitReason.Shortage(need, have),
                never
                        ? "more nodes, or a smaller gang: it does not fit the empty pool"
                        : "%s more of %s free".formatted(show(resource, need - have), resource),
                "needs %s of %s, %s are free"
                        .formatted(show(resource, need), resource, show(resource, have)),
                never);
    }

    /** There is enough in all, but not where one pod could use it. */
    private Short scattered(Shape shape, boolean never) {
        var part =
                shape.parts().stream()
                        .filter(p -> podsThatFit(p) < p.pods())
                        .findFirst()
                        .orElse(shape.parts().getFirst());
        return new Short(
                WaitReason.Code.INSUFFICIENT_CAPACITY,
                part.role(),
                new WaitReason.Shortage(part.pods(), Math.min(podsThatFit(part), part.pods())),
                never
                        ? "larger nodes, or smaller pods: it does not fit the empty pool"
                        : "room on one node for each pod of role " + part.role(),
                "enough is free in all, but spread over nodes: of %d pods of role %s, %d find a node for themselves"
                        .formatted(
                                part.pods(), part.role(), Math.min(podsThatFit(part), part.pods())),
                never);
    }

    private long podsThatFit(Shape.Part part) {
        long pods = 0;
        for (var node : matching(part)) {
            pods += Math.min(part.pods(), part.demand().timesIn(free(node)));
        }
        return pods;
    }

    /** CPU is counted in milli and read in cores. */
    private static String show(String resource, long amount) {
        return resource.equals("cpu")
                ? BigDecimal.valueOf(amount, 3).stripTrailingZeros().toPlainString()
                : Long.toString(amount);
    }
}
