package dev.muster.coordinator.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Seeds;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Fit;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Repulsion;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.model.Topology.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A small gang that fits is placed, whatever its roles ask for. */
class PlacingTest {
    private final Capacity capacity = new Capacity();

    static LongStream seeds() {
        return Seeds.first(3000);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void smallGangFitsExactlyWhenSomePlacementDoes(long seed) {
        var random = new Random(seed);
        var nodes = nodes(random);
        var shape = shape(random);
        var all = new AllPlacements(nodes, free(nodes), shape, Map.of());
        var fit = capacity.fit(shape);
        boolean fits = fit instanceof Placed;
        assertThat(fits).as(shape.toString()).isEqualTo(all.isAny());
        assertThat(capacity.fits(shape)).isEqualTo(fits);
        assertThat(capacity.couldEverFit(shape)).isEqualTo(fits);
        if (fit instanceof Placed(var pods)) {
            all.isOneOfThem(pods);
            all.isOneOfThem(((Placed) capacity.fitEventually(shape)).pods());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oneDomainIsTakenExactlyWhenSomePlacementInOneDoes(long seed) {
        var random = new Random(seed);
        var nodes = nodes(random);
        var parts = shape(random).parts();
        var key = random.nextInt(4) == 0 ? null : "zone";
        var wished = new Topology(random.nextBoolean() ? Policy.PREFER : Policy.PACK, key);
        var within = new Shape(parts, new Topology(Policy.REQUIRE, key));
        if (capacity.fit(new Shape(parts, wished)) instanceof Placed(var pods)) {
            var byName = nodes.stream().collect(Collectors.toMap(Node::name, node -> node));
            boolean isOne = new OneDomain(wished, byName).has(pods);
            assertThat(isOne)
                    .isEqualTo(new AllPlacements(nodes, free(nodes), within, Map.of()).isAny());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void podsThatComeLaterFitExactlyWhenSomePlacementBesideTheOthersDoes(long seed) {
        var random = new Random(seed);
        var nodes = nodes(random);
        var shape = shape(random);
        var extra = Extra.NONE;
        for (var part : shape.parts()) {
            var names = nodes.stream().map(Node::name).filter(_ -> random.nextInt(3) == 0).toList();
            extra = extra.taken(part.group().name(), names);
        }
        var all = new AllPlacements(nodes, free(nodes), shape, extra.taken());
        var fit = capacity.fit(shape, extra);
        assertThat(fit instanceof Placed).as(shape.toString()).isEqualTo(all.isAny());
        if (fit instanceof Placed(var pods)) {
            all.isOneOfThem(pods);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nodesThatAreLeftToAnotherGangAreThoseThatWouldTakeAPodOfIt(long seed) {
        var random = new Random(seed);
        var nodes = nodes(random);
        var shape = shape(random);
        var seekers = List.of(shape(random), shape(random));
        capacity.occupy(nodes.getFirst().name(), Fixtures.cpu(1));
        var leaving = Extra.NONE.leavingTo(seekers.getFirst()).leavingTo(seekers.getLast());
        var avoiding = Extra.NONE;
        var left = nodes.stream().map(Node::name).filter(n -> isFor(seekers, n)).toList();
        for (var part : shape.parts()) {
            avoiding = avoiding.avoiding(part.role(), left);
        }
        assertThat(capacity.placed(shape, leaving)).isEqualTo(capacity.placed(shape, avoiding));
    }

    private boolean isFor(List<Shape> seekers, String node) {
        return seekers.stream()
                .flatMap(seeker -> seeker.parts().stream())
                .anyMatch(part -> capacity.couldTake(node, part));
    }

    private List<Node> nodes(Random random) {
        var nodes = new ArrayList<Node>();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            var node = node("node-" + i, random);
            nodes.add(node);
            capacity.put(node);
        }
        return nodes;
    }

    private static TreeMap<String, Amounts> free(List<Node> nodes) {
        var free = new TreeMap<String, Amounts>();
        nodes.forEach(node -> free.put(node.name(), node.allocatable()));
        return free;
    }

    private static Node node(String name, Random random) {
        var labels = new TreeMap<>(Map.of("zone", "z" + random.nextInt(2)));
        if (random.nextInt(6) == 0) {
            labels.clear();
        }
        var amounts =
                Amounts.of(
                        Map.of(
                                "cpu", 1L + random.nextInt(8),
                                "gpu", (long) random.nextInt(4),
                                "pods", 2L + random.nextInt(4)));
        return new Node(name, 1, labels, List.of(), false, true, amounts, 0);
    }

    private static Shape shape(Random random) {
        var parts = new ArrayList<Shape.Part>();
        var groups = Apart.groups(random);
        for (int i = random.nextInt(4); i >= 0; i--) {
            var demand =
                    Amounts.of(
                            Map.of(
                                    "cpu",
                                    1L + random.nextInt(5),
                                    "gpu",
                                    (long) Math.max(0, random.nextInt(5) - 2),
                                    "pods",
                                    1L));
            var filter =
                    random.nextInt(5) == 0
                            ? NodeFilter.of(
                                    new TreeMap<>(Map.of("zone", "z0")), List.of(), List.of())
                            : NodeFilter.ANY;
            var role = random.nextInt(3) == 0 ? "ps" : "worker";
            parts.add(
                    new Shape.Part(
                            role,
                            10 * i,
                            1 + random.nextInt(3),
                            demand,
                            filter,
                            groups.get(role),
                            false,
                            Repulsion.NONE));
        }
        var policy = Policy.values()[random.nextInt(Policy.values().length)];
        return new Shape(parts, new Topology(policy, random.nextInt(4) == 0 ? null : "zone"));
    }

    @Test
    void smallPodDoesNotTakeTheNodeOfALargeOne() {
        capacity.put(Fixtures.node("node-0", 4));
        capacity.put(Fixtures.node("node-1", 6));
        var gang =
                Fixtures.shape(
                        Fixtures.spec(
                                "default",
                                Fixtures.role("master", 1, 2),
                                Fixtures.role("worker", 2, 4)));
        assertThat(capacity.fits(gang)).isTrue();
        assertThat(capacity.couldEverFit(gang)).isTrue();
    }

    @Test
    void searchEndsWhereThereIsVeryMuchToLookAt() {
        var parts = new ArrayList<Shape.Part>();
        for (int i = 0; i < 6; i++) {
            var demand = Amounts.of(Map.of("cpu", 11L + i, "pods", 1L));
            parts.add(Apart.part("r" + i, 0, 10, demand, NodeFilter.ANY, false));
        }
        for (int i = 0; i < 200; i++) {
            var amounts = Amounts.of(Map.of("cpu", 2L * (11 + i % 5), "pods", 110L));
            var node = new Node("n" + i, 1, new TreeMap<>(), List.of(), false, true, amounts, 0);
            if (i < 30) {
                capacity.put(node);
            }
        }
        var shape = new Shape(parts, Topology.NONE);
        for (int i = 0; i < 20; i++) {
            capacity.put(new Others("n0", 0, Amounts.of(Map.of("cpu", 1L + i % 2)), i));
            capacity.couldEverFit(shape);
            capacity.fits(shape);
        }
        assertThat(capacity.fit(shape)).isInstanceOf(Fit.Short.class);
    }
}
