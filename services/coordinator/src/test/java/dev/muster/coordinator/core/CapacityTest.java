package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.cpu;
import static dev.muster.coordinator.core.Fixtures.node;
import static dev.muster.coordinator.core.Fixtures.role;
import static dev.muster.coordinator.core.Fixtures.spec;
import static dev.muster.coordinator.core.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.muster.coordinator.core.Fit.Placed;
import dev.muster.coordinator.core.Fit.Placement;
import dev.muster.coordinator.core.Fit.Short;
import dev.muster.coordinator.core.NodeFilter.Operator;
import dev.muster.coordinator.core.NodeFilter.Requirement;
import dev.muster.coordinator.core.NodeFilter.Term;
import dev.muster.coordinator.core.NodeFilter.Toleration;
import dev.muster.coordinator.core.WaitReason.Code;
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
    void gangThatNoNodeHoldsAloneIsLaidOutInTheOrderOfNodes() {
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
                                        new Placement(new RankId("worker", 0), "b"),
                                        new Placement(new RankId("ps", 0), "a"))));
    }

    @Test
    void whatOthersUseAndWhatWeHoldIsNotFree() {
        capacity.put(node("a", 4));
        capacity.put(new Others("a", 0, cpu(1), 1));
        capacity.put(new Others("a", 1, cpu(1), 1));
        capacity.hold("a", cpu(1));
        assertThat(shortage(capacity.fit(Fixtures.shape(workers(1, 2)))))
                .isEqualTo(new WaitReason.Shortage(2000, 1000));
        capacity.release("a", cpu(1));
        assertThat(capacity.fit(Fixtures.shape(workers(1, 2)))).isInstanceOf(Placed.class);
    }

    @Test
    void sayWhatIsShortByHowMuchAndWhetherItCouldEverFit() {
        capacity.put(node("a", 4));
        capacity.hold("a", cpu(2));
        var later = (Short) capacity.fit(Fixtures.shape(workers(3, 1)));
        assertThat(later.code()).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        assertThat(later.scope()).isEqualTo("cpu");
        assertThat(later.message()).isEqualTo("needs 3 of cpu, 2 are free");
        assertThat(later.remedy()).isEqualTo("1 more of cpu free");
        assertThat(later.never()).isFalse();
        var never = (Short) capacity.fit(Fixtures.shape(workers(5, 1)));
        assertThat(never.never()).isTrue();
        assertThat(never.remedy()).contains("empty pool");
    }

    @Test
    void roomThatIsScatteredOverNodesIsSaidToBe() {
        capacity.put(node("a", 3));
        capacity.put(node("b", 3));
        var fit = (Short) capacity.fit(Fixtures.shape(workers(3, 2)));
        assertThat(fit.scope()).isEqualTo("worker");
        assertThat(fit.shortage()).isEqualTo(new WaitReason.Shortage(3, 2));
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

    private static WaitReason.Shortage shortage(Fit fit) {
        return ((Short) fit).shortage();
    }

    private static List<Placement> on(String role, String... nodes) {
        var ranks = Fixtures.ranks(role, nodes.length);
        return ranks.stream().map(r -> new Placement(r, nodes[r.index()])).toList();
    }

    private static Node gpu(String name) {
        var labels = new TreeMap<>(Map.of("gpu", "yes"));
        return new Node(name, 1, labels, List.of(), false, true, cpu(4), 0);
    }

    private static Node tainted(Node.Effect effect) {
        var taint = new Node.Taint("team", "ml", effect);
        return new Node("a", 1, new TreeMap<>(), List.of(taint), false, true, cpu(4), 0);
    }

    private static NodeFilter selecting(String key, String value) {
        return new NodeFilter(new TreeMap<>(Map.of(key, value)), List.of(), List.of());
    }

    private static NodeFilter affinity(Operator operator, String... values) {
        return terms(new Term(List.of(new Requirement("gpu", operator, List.of(values), false))));
    }

    private static NodeFilter terms(Term... terms) {
        return new NodeFilter(new TreeMap<>(), List.of(terms), List.of());
    }

    private static NodeFilter tolerating(Toleration toleration) {
        return new NodeFilter(new TreeMap<>(), List.of(), List.of(toleration));
    }
}
