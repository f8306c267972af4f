package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.model.WaitReason.Code.TOPOLOGY_UNSATISFIED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Fit;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Fit.Placement;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.model.Topology.Policy;
import dev.muster.coordinator.core.placement.Repulsions.Held;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** A capacity and the naive one, to which the same happens. */
final class CapacityWalk {
    private static final List<String> NODES =
            IntStream.range(0, 9).mapToObj(i -> "node-" + i).toList();

    private static final List<Node.Trust> TRUSTS =
            List.of(
                    Node.Trust.TRUSTED,
                    Node.Trust.TRUSTED,
                    Node.Trust.SUSPECT,
                    Node.Trust.EXCLUDED);

    final Random random;
    final NaiveCapacity naive = new NaiveCapacity();
    final Capacity capacity = new Capacity();
    final List<Shape> shapes = new ArrayList<>();

    CapacityWalk(long seed) {
        random = new Random(seed);
        for (int i = 0; i < 12; i++) {
            shapes.add(shape());
        }
        for (int i = 0; i < 6; i++) {
            node(NODES.get(i));
        }
    }

    /** Another that may be like one of them. */
    Shape shape() {
        var parts = new ArrayList<Shape.Part>();
        var groups = Apart.groups(random);
        boolean aloof = random.nextInt(3) == 0;
        for (int i = random.nextInt(3); i >= 0; i--) {
            var role = random.nextInt(3) == 0 ? "ps" : "worker";
            var demand = new TreeMap<>(Map.of("pods", 1L, "cpu", 1000L + random.nextInt(2000)));
            if (random.nextInt(4) == 0) {
                demand.put("gpu", 1L + random.nextInt(2));
            }
            parts.add(
                    new Shape.Part(
                            role,
                            10 * i,
                            1 + random.nextInt(random.nextBoolean() ? 3 : 7),
                            Amounts.of(demand),
                            filter(),
                            groups.get(role),
                            false,
                            aloof ? Repulsions.any(random) : Repulsion.NONE));
        }
        var policy = Policy.values()[random.nextInt(Policy.values().length)];
        return new Shape(parts, new Topology(policy, random.nextInt(4) == 0 ? null : "zone"));
    }

    private NodeFilter filter() {
        return switch (random.nextInt(6)) {
            case 0 -> NodeFilter.of(new TreeMap<>(Map.of("zone", "a")), List.of(), List.of());
            case 1 ->
                    NodeFilter.of(
                            new TreeMap<>(),
                            List.of(),
                            List.of(new NodeFilter.Toleration("", true, "", null)));
            default -> NodeFilter.ANY;
        };
    }

    List<Shape> some() {
        return List.of(any(shapes), any(shapes));
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** Nodes with a resource that no node may have had before, and nobody may use yet. */
    void late(String resource) {
        var node = naive.nodes.get(any(NODES));
        if (node != null) {
            var more = node.allocatable().plus(Amounts.of(Map.of(resource, 3L)));
            put(
                    new Node(
                            node.name(),
                            1,
                            node.labels(),
                            node.taints(),
                            node.unschedulable(),
                            node.ready(),
                            more,
                            0,
                            Node.Notes.NONE,
                            node.trust(),
                            false));
        }
    }

    void step() {
        switch (random.nextInt(10)) {
            case 0 -> node(any(NODES));
            case 1 -> {
                var name = any(NODES);
                naive.nodes.remove(name);
                capacity.removeNode(name);
            }
            case 2, 3 -> others();
            case 4, 5 -> start(any(shapes));
            case 6, 7 -> release();
            case 8 -> hold(any(NODES), Repulsions.any(random));
            default -> reserve(any(shapes));
        }
    }

    private void node(String name) {
        var labels = new TreeMap<String, String>();
        if (random.nextInt(5) > 0) {
            labels.put("zone", any(List.of("a", "b", "c")));
        }
        var taint = new Node.Taint("gpu", "true", Node.Effect.NO_SCHEDULE);
        var amounts = new TreeMap<>(Map.of("pods", 6L, "cpu", 1000L * random.nextInt(9)));
        if (random.nextInt(3) == 0) {
            amounts.put("gpu", 4L);
        }
        var node =
                new Node(
                        name,
                        1,
                        labels,
                        random.nextInt(5) == 0 ? List.of(taint) : List.of(),
                        random.nextInt(8) == 0,
                        random.nextInt(8) > 0,
                        Amounts.of(amounts),
                        0,
                        Node.Notes.NONE,
                        any(TRUSTS),
                        false);
        put(node);
    }

    private void put(Node node) {
        naive.nodes.put(node.name(), node);
        capacity.put(node);
    }

    private void others() {
        var node = any(NODES);
        int shard = random.nextInt(2);
        var key = node + "/" + shard;
        var known = naive.others.get(key);
        if (known != null && random.nextInt(3) == 0) {
            naive.others.remove(key);
            capacity.remove(known);
            return;
        }
        var used = Amounts.of(Map.of("cpu", 500L * random.nextInt(6), "pods", 1L));
        var use = new Others(node, shard, used, 0);
        naive.others.put(key, use);
        capacity.put(use);
    }

    private void start(Shape shape) {
        if (capacity.fit(shape) instanceof Placed(var pods)) {
            var job = any(Repulsions.JOBS);
            int at = 0;
            for (var part : shape.parts()) {
                for (int i = 0; i < part.pods(); i++) {
                    var node = pods.get(at++).node();
                    hold(new Held(node, part.demand(), job, part.repulsion()));
                }
            }
        }
    }

    private void hold(String node, Repulsion repulsion) {
        var demand = Amounts.of(Map.of("cpu", 500L, "pods", 1L));
        hold(new Held(node, demand, any(Repulsions.JOBS), repulsion));
    }

    private void hold(Held held) {
        naive.held.add(held);
        hold(capacity, held);
    }

    private static void hold(Capacity capacity, Held held) {
        capacity.occupy(held.node(), held.demand());
        if (!held.repulsion().isNone()) {
            capacity.settle(held.node(), held.job(), held.repulsion(), 1);
        }
    }

    private void release() {
        if (!naive.held.isEmpty()) {
            var held = naive.held.remove(random.nextInt(naive.held.size()));
            capacity.release(held.node(), held.demand());
            if (!held.repulsion().isNone()) {
                capacity.settle(held.node(), held.job(), held.repulsion(), -1);
            }
        }
    }

    private void reserve(Shape shape) {
        if (random.nextBoolean() || !(capacity.fitEventually(shape) instanceof Placed(var p))) {
            keep(new TreeMap<>());
            return;
        }
        keep(amounts(shape, p));
    }

    private void keep(TreeMap<String, Amounts> hold) {
        naive.hold.keySet().forEach(node -> capacity.reserve(node, Amounts.NONE));
        naive.hold = hold;
        hold.forEach(capacity::reserve);
    }

    private static TreeMap<String, Amounts> amounts(Shape shape, List<Placement> pods) {
        var amounts = new TreeMap<String, Amounts>();
        int at = 0;
        for (var part : shape.parts()) {
            for (int i = 0; i < part.pods(); i++) {
                amounts.merge(pods.get(at++).node(), part.demand(), Amounts::plus);
            }
        }
        return amounts;
    }

    Extra extra(Shape shape) {
        var more = Amounts.of(Map.of("cpu", 2000L, "pods", 2L, "gpu", 1L));
        var room = new TreeMap<>(naive.hold);
        room.put(any(NODES), more);
        var gone = new TreeSet<>(List.of(any(Repulsions.JOBS)));
        return Extra.room(room)
                .without(new TreeMap<>(Map.of(any(NODES), gone)))
                .avoiding(
                        shape.parts().getFirst().role(),
                        new TreeSet<>(List.of(any(NODES), any(NODES), "gone")))
                .taken(
                        shape.parts().getLast().group().name(),
                        List.of(NODES.get(random.nextInt(NODES.size())), "gone"));
    }

    void answersAreRight(Shape shape) {
        var fit = capacity.fit(shape);
        assertThat(capacity.fits(shape)).as(shape.toString()).isEqualTo(fit instanceof Placed);
        isAsExpected(shape, fit, Extra.NONE);
        var extra = extra(shape);
        var withExtra = capacity.fit(shape, extra);
        isAsExpected(shape, withExtra, extra);
        assertThat(capacity.placed(shape, extra) != null).isEqualTo(withExtra instanceof Placed);
        var ever = naive.placeEver(shape, false);
        var soon = ever == null ? null : naive.placeEver(shape, true);
        var found = capacity.fitEventually(shape);
        assertThat(capacity.couldEverFit(shape)).isEqualTo(found instanceof Placed);
        var expected = soon == null ? ever : soon;
        if (found instanceof Placed(var pods) && one(shape).isBetter(pods, expected)) {
            all(shape, View.EMPTY, Extra.NONE).isOneOfThem(pods);
        } else if (expected != null) {
            assertThat(found).isEqualTo(new Placed(expected));
        }
        for (var node : naive.nodes.values()) {
            assertThat(capacity.free(node)).isEqualTo(naive.room(node, View.NOW));
        }
    }

    private TreeMap<String, Amounts> rooms(View view, Extra extra) {
        var rooms = new TreeMap<String, Amounts>();
        for (var node : naive.nodes.values()) {
            var more = extra.room().getOrDefault(node.name(), Amounts.NONE);
            rooms.put(node.name(), naive.room(node, view).plus(more));
        }
        return rooms;
    }

    private OneDomain one(Shape shape) {
        return new OneDomain(shape.topology(), naive.nodes);
    }

    private AllPlacements all(Shape shape, View view, Extra extra) {
        var nodes = List.copyOf(naive.nodes.values());
        return new AllPlacements(nodes, rooms(view, extra), shape, extra.taken());
    }

    /** Where the quick search finds nothing, or not what is wished, the whole one may. */
    private void isAsExpected(Shape shape, Fit fit, Extra extra) {
        var expected = naive.place(shape, extra);
        switch (fit) {
            case Placed(var pods) when one(shape).isBetter(pods, expected) -> {
                all(shape, View.NOW, extra).isOneOfThem(pods);
                areBesideOthers(shape, pods, extra);
                var avoided = extra.avoided();
                assertThat(pods)
                        .noneMatch(pod ->
                                avoided.containsKey(pod.rank().role())
                                        && avoided.get(pod.rank().role()).contains(pod.node()));
            }
            case Placed(var pods) -> assertThat(pods).isEqualTo(expected);
            case Short why -> {
                assertThat(expected).as(why.toString()).isNull();
                var shortage = why.shortage();
                assertThat(why.nearest()).hasSizeLessThanOrEqualTo(3);
                if (shortage != null && why.code() == TOPOLOGY_UNSATISFIED) {
                    assertThat(shortage.shortBy()).as(why.toString()).isPositive();
                }
            }
        }
    }

    private void areBesideOthers(Shape shape, List<Placement> pods, Extra extra) {
        int at = 0;
        for (var part : shape.parts()) {
            for (int i = 0; i < part.pods(); i++) {
                var node = pods.get(at++).node();
                assertThat(Repulsions.areKeptOff(naive.held, part, node, extra)).isFalse();
            }
        }
    }

    /** Of the same things, which came in another order. */
    Capacity madeAnew() {
        var anew = new Capacity();
        if (random.nextBoolean()) {
            naive.hold.forEach(anew::reserve);
        }
        shuffled(naive.others.values()).forEach(anew::put);
        shuffled(naive.held).forEach(held -> hold(anew, held));
        shuffled(naive.nodes.values()).forEach(anew::put);
        naive.hold.forEach(anew::reserve);
        return anew;
    }

    private <T> List<T> shuffled(Iterable<T> things) {
        var shuffled = new ArrayList<T>();
        things.forEach(shuffled::add);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }
}
