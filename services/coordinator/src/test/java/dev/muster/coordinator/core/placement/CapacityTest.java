package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Fit;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Fit.Placement;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.NodeFilter.Operator;
import dev.muster.coordinator.core.model.NodeFilter.Requirement;
import dev.muster.coordinator.core.model.NodeFilter.Term;
import dev.muster.coordinator.core.model.NodeFilter.Toleration;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CapacityTest {
    private final Capacity capacity = new Capacity();

    @Test
    void gangGoesWhereItLeavesTheLeastUnused() {
        capacity.put(node("a", 8));
        capacity.put(node("b", 4));
        capacity.put(node("c", 2));
        assertThat(capacity.fit(Fixtures.shape(workers(3, 1))))
                .isEqualTo(new Placed(on("worker", "b", "b", "b")));
    }

    @Test
    void gangThatNoNodeHoldsAloneTakesTheLargestAndThenTheLeast() {
        capacity.put(node("a", 4));
        capacity.put(node("b", 5));
        capacity.put(node("c", 2));
        assertThat(capacity.fit(Fixtures.shape(workers(7, 1))))
                .isEqualTo(new Placed(on("worker", "b", "b", "b", "b", "b", "c", "c")));
    }

    @Test
    void ranksFollowTheNamesOfTheirNodes() {
        capacity.put(node("a", 2));
        capacity.put(node("b", 3));
        assertThat(capacity.fit(Fixtures.shape(workers(5, 1))))
                .isEqualTo(new Placed(on("worker", "a", "a", "b", "b", "b")));
    }

    @Test
    void roleWithTheFewestNodesChoosesFirst() {
        capacity.put(gpu("a"));
        capacity.put(node("b", 4));
        var picky = Fixtures.role("ps", 1, cpu(4), selecting("gpu", "yes"));
        var fit = capacity.fit(Fixtures.shape(spec("q", role("worker", 1, 4), picky)));
        assertThat(fit)
                .isEqualTo(
                        new Placed(
                                List.of(
                                        new Placement(new RankId("worker", 0), "b", false),
                                        new Placement(new RankId("ps", 0), "a", false))));
    }

    @Test
    void whatOthersUseAndWhatWeHoldIsNotFree() {
        capacity.put(node("a", 4));
        capacity.put(new Others("a", 0, cpu(1), 1));
        capacity.put(new Others("a", 1, cpu(1), 1));
        capacity.occupy("a", cpu(1));
        assertThat(shortage(capacity.fit(Fixtures.shape(workers(1, 2)))))
                .isEqualTo(new WaitReason.Shortage(2000, 1000));
        capacity.release("a", cpu(1));
        assertThat(capacity.fit(Fixtures.shape(workers(1, 2)))).isInstanceOf(Placed.class);
    }

    @Test
    void podsOfANodeAreCounted() {
        capacity.put(
                new Node(
                        "a",
                        1,
                        new TreeMap<>(),
                        List.of(),
                        false,
                        true,
                        Amounts.of(Map.of("cpu", 64_000L, "pods", 2L)),
                        0));
        assertThat(((Short) capacity.fit(Fixtures.shape(workers(3, 1)))).scope()).isEqualTo("pods");
        assertThat(capacity.fit(Fixtures.shape(workers(2, 1)))).isInstanceOf(Placed.class);
    }

    @ParameterizedTest
    @MethodSource
    void nodeTakesWhatItsLabelsAndTaintsAllow(NodeFilter filter, Node node, boolean takes) {
        capacity.put(node);
        var role = Fixtures.role("w", 1, cpu(1), filter);
        var fit = capacity.fit(Fixtures.shape(spec("q", role)));
        assertThat(fit instanceof Placed).isEqualTo(takes);
        if (fit instanceof Short why) {
            assertThat(why.code()).isEqualTo(Code.NO_MATCHING_NODE);
        }
    }

    static Stream<Arguments> nodeTakesWhatItsLabelsAndTaintsAllow() {
        var tainted = tainted(Node.Effect.NO_SCHEDULE);
        var one = new Toleration("team", false, "ml", null);
        var other = new Toleration("team", false, "web", null);
        var any = new Toleration("", true, "", null);
        var executeOnly = new Toleration("team", true, "", Node.Effect.NO_EXECUTE);
        return Stream.of(
                argumentSet("no filter", NodeFilter.ANY, node("a", 4), true),
                argumentSet("label there", selecting("gpu", "yes"), gpu("a"), true),
                argumentSet("label missing", selecting("gpu", "yes"), node("a", 4), false),
                argumentSet("in", affinity(Operator.IN, "yes", "no"), gpu("a"), true),
                argumentSet("in, absent", affinity(Operator.IN, "yes"), node("a", 4), false),
                argumentSet("not in, absent", affinity(Operator.NOT_IN, "yes"), node("a", 4), true),
                argumentSet("not in", affinity(Operator.NOT_IN, "yes"), gpu("a"), false),
                argumentSet("exists", affinity(Operator.EXISTS), gpu("a"), true),
                argumentSet("is not there", affinity(Operator.DOES_NOT_EXIST), gpu("a"), false),
                argumentSet("gt no number", affinity(Operator.GT, "1"), gpu("a"), false),
                argumentSet("no requirement", terms(new Term(List.of())), gpu("a"), false),
                argumentSet("tainted", NodeFilter.ANY, tainted, false),
                argumentSet("tolerated", tolerating(one), tainted, true),
                argumentSet("other value", tolerating(other), tainted, false),
                argumentSet("everything", tolerating(any), tainted, true),
                argumentSet("other effect", tolerating(executeOnly), tainted, false),
                argumentSet(
                        "only preferred",
                        NodeFilter.ANY,
                        tainted(Node.Effect.PREFER_NO_SCHEDULE),
                        true));
    }

    @ParameterizedTest
    @MethodSource
    void numbersOfLabelsAreCompared(Operator operator, String value, boolean takes) {
        var labels = new TreeMap<>(Map.of("gpu", "8"));
        var node = new Node("a", 1, labels, List.of(), false, true, cpu(4), 0);
        assertThat(affinity(operator, value).accepts(node)).isEqualTo(takes);
    }

    static Stream<Arguments> numbersOfLabelsAreCompared() {
        return Stream.of(
                Arguments.of(Operator.GT, "7", true),
                Arguments.of(Operator.GT, "8", false),
                Arguments.of(Operator.LT, "9", true),
                Arguments.of(Operator.LT, "8", false));
    }

    @Test
    void nodesThatAreNotReadyOrCordonedTakeNothing() {
        var labels = new TreeMap<String, String>();
        capacity.put(new Node("a", 1, labels, List.of(), true, true, cpu(4), 0));
        capacity.put(new Node("b", 1, labels, List.of(), false, false, cpu(4), 0));
        assertThat(((Short) capacity.fit(Fixtures.shape(workers(1, 1)))).code())
                .isEqualTo(Code.NO_MATCHING_NODE);
    }

    @Test
    void whatIsKeptForTheHolderIsFreeToItAlone() {
        capacity.put(node("a", 4));
        var hold = new TreeMap<>(Map.of("a", cpu(3)));
        hold.forEach(capacity::reserve);
        assertThat(capacity.fits(Fixtures.shape(workers(1, 2)))).isFalse();
        assertThat(capacity.fits(Fixtures.shape(workers(1, 1)))).isTrue();
        assertThat(capacity.fit(Fixtures.shape(workers(1, 3)), Extra.room(hold)))
                .isEqualTo(new Placed(on("worker", "a")));
        capacity.reserve("a", cpu(9));
        assertThat(capacity.free(node("a", 4)).get("cpu")).isEqualTo(-5000);
        capacity.reserve("a", Amounts.NONE);
        assertThat(capacity.fits(Fixtures.shape(workers(1, 4)))).isTrue();
        capacity.reserve("a", cpu(1));
        capacity.reserve("b", cpu(1));
        assertThat(capacity.fits(Fixtures.shape(workers(1, 4)))).isFalse();
        capacity.reserve("a", Amounts.NONE);
        assertThat(capacity.fits(Fixtures.shape(workers(1, 4)))).isTrue();
    }

    @Test
    void roomThatOthersWouldLeaveCounts() {
        capacity.put(node("a", 4));
        capacity.put(node("b", 4));
        capacity.occupy("a", cpu(4));
        capacity.occupy("b", cpu(4));
        var victims = new TreeMap<>(Map.of("b", cpu(4), "gone", cpu(64)));
        assertThat(capacity.fit(Fixtures.shape(workers(1, 4)), Extra.room(victims)))
                .isEqualTo(new Placed(on("worker", "b")));
        assertThat(capacity.placed(Fixtures.shape(workers(2, 4)), Extra.room(victims))).isNull();
    }

    @Test
    void nodesThatARoleAvoidsTakeNoneOfIt() {
        capacity.put(node("a", 1));
        capacity.put(node("b", 2));
        var extra = Extra.NONE.avoiding("worker", List.of("a", "gone"));
        assertThat(capacity.fit(Fixtures.shape(workers(1, 1)), extra))
                .isEqualTo(new Placed(on("worker", "b")));
        var other = Fixtures.shape(spec("q", role("ps", 1, 1)));
        assertThat(capacity.fit(other, extra)).isEqualTo(new Placed(on("ps", "a")));
    }

    @Test
    void podsThatStandApartTakeANodeEach() {
        capacity.put(node("a", 8));
        capacity.put(node("b", 8));
        assertThat(capacity.fit(apart(2))).isEqualTo(new Placed(on("worker", "a", "b")));
        assertThat(capacity.fits(apart(3))).isFalse();
        var why = (Short) capacity.fit(apart(3));
        assertThat(why.shortage()).isEqualTo(new WaitReason.Shortage(3, 2));
        assertThat(why.remedy())
                .isEqualTo("a node of its own with room for each pod of role worker");
        assertThat(why.nearest()).isEmpty();
        assertThat(capacity.placed(apart(2), Extra.NONE.avoiding("worker", List.of("a")))).isNull();
    }

    @Test
    void partsOfOneRoleStandApartFromEachOther() {
        capacity.put(node("a", 8));
        capacity.put(node("b", 8));
        var first = Apart.part("worker", 0, 1, cpu(1), NodeFilter.ANY, true);
        var spot = Apart.part("worker", 1, 1, cpu(2), NodeFilter.ANY, true);
        assertThat(capacity.fit(new Shape(List.of(first, spot), Topology.NONE)))
                .isEqualTo(new Placed(on("worker", "b", "a")));
    }

    @Test
    void growthOfARunningGangIsCountedOn() {
        capacity.put(node("a", 8));
        var more = Apart.part("worker", 4, 2, cpu(1), NodeFilter.ANY, false);
        assertThat(capacity.fit(new Shape(List.of(more), Topology.NONE)))
                .isEqualTo(
                        new Placed(
                                List.of(
                                        new Placement(new RankId("worker", 4), "a", false),
                                        new Placement(new RankId("worker", 5), "a", false))));
    }

    @Test
    void oneThatWaitsTakesWhatIsFreeAndThenWhereLittleIsMissing() {
        capacity.put(node("a", 4));
        capacity.put(node("b", 4));
        capacity.put(node("c", 4));
        capacity.occupy("a", cpu(4));
        capacity.occupy("b", cpu(1));
        capacity.occupy("c", cpu(2));
        assertThat(capacity.fitEventually(Fixtures.shape(workers(6, 1))))
                .isEqualTo(new Placed(on("worker", "b", "b", "b", "b", "c", "c")));
        assertThat(capacity.fitEventually(Fixtures.shape(workers(13, 1))))
                .isInstanceOf(Short.class);
    }

    @Test
    void totalIsWhatOthersLeaveOfNodesThatTakePods() {
        capacity.put(node("a", 4));
        capacity.put(node("b", 4));
        capacity.put(new Node("c", 1, new TreeMap<>(), List.of(), true, true, cpu(64), 0));
        capacity.put(new Others("a", 0, cpu(1), 1));
        capacity.put(new Others("b", 0, cpu(6), 1));
        capacity.occupy("a", cpu(3));
        assertThat(capacity.total())
                .isEqualTo(
                        Amounts.of(Map.of("cpu", 3000L, "memory", Fixtures.gibi(8), "pods", 218L)));
    }

    @Test
    void sumsBeyondALongAreSumsStill() {
        long huge = Long.MAX_VALUE / 2;
        var disk = Amounts.of(Map.of("disk", huge));
        for (var name : List.of("a", "b", "c")) {
            capacity.put(new Node(name, 1, new TreeMap<>(), List.of(), false, true, disk, 0));
        }
        var gang = shape(Apart.part("worker", 0, 10_000, disk, NodeFilter.ANY, false));
        assertThat(shortage(capacity.fit(gang))).isEqualTo(new WaitReason.Shortage(10_000, 3));
        for (int i = 0; i < 5; i++) {
            capacity.occupy("a", disk);
        }
        assertThat(capacity.free(nodeOf("a")).get("disk")).isEqualTo(Long.MIN_VALUE);
        assertThat(capacity.total().get("disk")).isEqualTo(Long.MAX_VALUE);
        for (int i = 0; i < 5; i++) {
            capacity.release("a", disk);
        }
        assertThat(capacity.free(nodeOf("a"))).isEqualTo(disk);
    }

    @Test
    void moreChangesThanAreRememberedAreCaughtUpWith() {
        for (int i = 0; i < 5000; i++) {
            capacity.put(node("n%04d".formatted(i), 1));
        }
        assertThat(capacity.fits(Fixtures.shape(workers(5000, 1)))).isTrue();
        for (int i = 0; i < 4999; i++) {
            capacity.occupy("n%04d".formatted(i), cpu(1));
        }
        assertThat(capacity.fits(Fixtures.shape(workers(2, 1)))).isFalse();
        assertThat(capacity.fit(Fixtures.shape(workers(1, 1))))
                .isEqualTo(new Placed(on("worker", "n4999")));
    }

    @Test
    void whatWasForgottenIsFoundOutAgain() {
        capacity.put(node("a", 4));
        var gang = shape(Apart.part("worker", 0, 5, cpu(1), NodeFilter.ANY, false));
        var before = capacity.fit(gang);
        for (int i = 0; i < 9000; i++) {
            var demand = Amounts.of(Map.of("cpu", 100_000L + i));
            var other = Apart.part("worker", 0, 1, demand, NodeFilter.ANY, false);
            assertThat(capacity.fits(shape(other))).isFalse();
        }
        assertThat(capacity.fit(gang)).isEqualTo(before);
        capacity.put(node("a", 5));
        assertThat(capacity.fits(gang)).isTrue();
    }

    @Test
    void newsThatChangesNothingIsNoGrowth() {
        capacity.put(node("a", 4));
        long grown = capacity.grown();
        long changed = capacity.changed();
        capacity.put(node("a", 4).seen(7));
        capacity.put(new Others("a", 0, Amounts.NONE, 7));
        assertThat(capacity.grown()).isEqualTo(grown);
        assertThat(capacity.changed()).isEqualTo(changed);
        assertThat(capacity.nodes()).containsExactly(node("a", 4).seen(7));
        capacity.occupy("a", cpu(1));
        capacity.put(new Others("a", 0, cpu(1), 8));
        assertThat(capacity.grown()).isEqualTo(grown);
        assertThat(capacity.changed()).isGreaterThan(changed);
        capacity.release("a", cpu(1));
        assertThat(capacity.grown()).isGreaterThan(grown);
    }

    private static Shape apart(int pods) {
        return shape(Apart.part("worker", 0, pods, cpu(1), NodeFilter.ANY, true));
    }

    private static Shape shape(Shape.Part part) {
        return new Shape(List.of(part), Topology.NONE);
    }

    private Node nodeOf(String name) {
        return capacity.nodes().stream().filter(n -> n.name().equals(name)).findFirst().get();
    }

    private static WaitReason.Shortage shortage(Fit fit) {
        return ((Short) fit).shortage();
    }

    private static List<Placement> on(String role, String... nodes) {
        var ranks = Fixtures.ranks(role, nodes.length);
        return ranks.stream().map(r -> new Placement(r, nodes[r.index()], false)).toList();
    }

    private static Node gpu(String name) {
        var labels = new TreeMap<>(Map.of("gpu", "yes"));
        return new Node(name, 1, labels, List.of(), false, true, cpu(4), 0);
    }

    private static Node tainted(Node.Effect effect) {
        return tainted(effect, "a", 4);
    }

    private static Node tainted(Node.Effect effect, String name, long cores) {
        var taint = new Node.Taint("team", "ml", effect);
        return new Node(name, 1, new TreeMap<>(), List.of(taint), false, true, cpu(cores), 0);
    }

    private static NodeFilter selecting(String key, String value) {
        return NodeFilter.of(new TreeMap<>(Map.of(key, value)), List.of(), List.of());
    }

    private static NodeFilter affinity(Operator operator, String... values) {
        return terms(new Term(List.of(new Requirement("gpu", operator, List.of(values), false))));
    }

    private static NodeFilter terms(Term... terms) {
        return NodeFilter.of(new TreeMap<>(), List.of(terms), List.of());
    }

    private static NodeFilter tolerating(Toleration toleration) {
        return NodeFilter.of(new TreeMap<>(), List.of(), List.of(toleration));
    }
}
