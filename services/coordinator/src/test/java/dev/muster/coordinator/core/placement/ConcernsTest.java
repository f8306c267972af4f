package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Shape;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node of eight cores: whom what changes concerns. */
class ConcernsTest {
    /** Of nodes with as many numbers as these, or fewer. */
    private static final int FILTERS = (1 << 24) / 1024;

    private final Capacity capacity = new Capacity();
    private final Concerns concerns = capacity.concerns(View.NOW, View.EMPTY);
    private final Stocks stocks = capacity.stocks();

    @BeforeEach
    void nodeHasEightCores() {
        capacity.put(node("a", 8));
    }

    private void add(Shape shape) {
        concerns.add(shape);
        stocks.add(shape);
    }

    private void remove(Shape shape) {
        concerns.remove(shape);
        stocks.remove(shape);
    }

    private int size() {
        return concerns.size() + stocks.size();
    }

    private void all(List<Shape> shapes) {
        shapes.forEach(this::add);
        concerns.moved();
        stocks.passed();
    }

    @Test
    void whatIsKeptOfShapesGrowsWithWhatEachAsksForAndGoesWithThem() {
        var shapes = IntStream.range(0, 100).mapToObj(i -> asking("own/" + i)).toList();
        all(shapes);
        assertThat(size()).isBetween(100, 1_500);
        shapes.forEach(this::remove);
        assertThat(size()).isZero();
        all(List.of(worker(1)));
        int one = size();
        IntStream.range(2, 100).mapToObj(ConcernsTest::worker).forEach(this::add);
        IntStream.range(2, 100).mapToObj(ConcernsTest::worker).forEach(this::remove);
        assertThat(size()).isEqualTo(one);
    }

    /** What is free in all is kept for who asks why alone. */
    @Test
    void whichNodesAShapeAcceptsIsNotKeptOfWhomChangesConcern() {
        all(List.of(worker(1)));
        int one = concerns.size();
        int stocked = stocks.size();
        all(IntStream.range(0, 100).mapToObj(ConcernsTest::choosy).toList());
        assertThat(concerns.size()).isEqualTo(one);
        assertThat(stocks.size()).isGreaterThan(stocked + 100);
    }

    @Test
    void resourceThatNoNodeHadConcernsWhoWaitsForIt() {
        var waiting = asking("own/fpga");
        all(List.of(worker(9), waiting));
        var node = node("b", 8);
        var more = node.allocatable().plus(Amounts.of(Map.of("own/fpga", 1L)));
        capacity.put(new Node("b", 1, node.labels(), List.of(), false, true, more, 0));
        assertThat(concerns.moved()).containsExactly(waiting);
        assertThat(stocks.passed()).contains(waiting);
    }

    /** Of one core and of three there is room for as many as before, and no eighth of eight. */
    @Test
    void whatOthersUseConcernsThoseOfWhomAnotherNumberGoesThere() {
        all(List.of(worker(1), worker(2), worker(3), worker(4), worker(5)));
        capacity.put(new Others("a", 0, milli(500), 0));
        assertThat(concerns.moved()).containsExactly(worker(1), worker(2), worker(4));
        capacity.put(new Others("a", 0, milli(900), 0));
        assertThat(concerns.moved()).isEmpty();
        capacity.put(new Others("a", 0, milli(1_100), 0));
        assertThat(concerns.moved()).containsExactly(worker(1));
    }

    @Test
    void ofManyNeedsThoseAreFoundThatGoThereMoreOrLessOften() {
        var shapes = IntStream.range(50, 1_000).mapToObj(i -> shape(milli(10L * i))).toList();
        all(shapes);
        capacity.put(new Others("a", 0, milli(500), 0));
        var found = concerns.moved();
        assertThat(found).hasSizeLessThan(200);
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(
                        shapes.stream()
                                .filter(shape -> 8_000 / need(shape) != 7_500 / need(shape))
                                .toList());
    }

    /** Each pod takes one of the pods of a node, which are more than a hundred. */
    @Test
    void whatAllAskForAlikeHasNobodyLookedAtOfWhomNoOtherNumberGoesThere() {
        var shapes = IntStream.range(0, 5_000).mapToObj(i -> shape(podOf(2_000 + i))).toList();
        all(shapes);
        capacity.occupy("a", podOf(7_500));
        concerns.moved();
        long before = concerns.looked();
        capacity.release("a", podOf(500));
        assertThat(concerns.moved()).isEmpty();
        assertThat(concerns.looked() - before).isLessThan(100);
    }

    private static Amounts podOf(long cpu) {
        return Amounts.of(Map.of("cpu", cpu, "pods", 1L));
    }

    /** Of small ones many go there, of large ones few. */
    @Test
    void ofNeedsFarSmallerThanARoomThoseAreFoundThatGoThereMoreOrLessOften() {
        var shapes = IntStream.range(1, 1_000).mapToObj(i -> shape(podOf(i))).toList();
        all(shapes);
        capacity.put(new Others("a", 0, podOf(500), 0));
        assertThat(concerns.moved())
                .containsExactlyInAnyOrderElementsOf(
                        shapes.stream()
                                .filter(shape -> pods(shape, 8_000, 110) != pods(shape, 7_500, 109))
                                .toList());
    }

    private static long pods(Shape shape, long cpu, long pods) {
        return Math.min(cpu / need(shape), pods);
    }

    private static long need(Shape shape) {
        return shape.parts().getFirst().demand().get("cpu");
    }

    /** What its roles leave to each other is no number of pods. */
    @Test
    void whatOthersUseConcernsGangsOfTwoRolesThatANodeTakesAPodOf() {
        var pair = Fixtures.shape(spec("q", role("master", 1, 3), role("worker", 1, 9)));
        all(List.of(pair));
        capacity.put(new Others("a", 0, milli(500), 0));
        assertThat(concerns.moved()).containsExactly(pair);
    }

    @Test
    void nodeThatLooksDifferentConcernsAllThatItHasRoomFor() {
        all(List.of(worker(3), worker(9)));
        capacity.put(Nodes.labelled(node("a", 8), new TreeMap<>(Map.of("zone", "b"))));
        assertThat(concerns.moved()).containsExactly(worker(3));
    }

    @Test
    void withVeryManyFiltersWhatIsFreeInAllMayBeAnothersReasonAtAnyTime() {
        var shapes = IntStream.rangeClosed(0, FILTERS).mapToObj(ConcernsTest::choosy).toList();
        shapes.forEach(stocks::add);
        assertThat(stocks.passed()).hasSize(FILTERS + 1);
        assertThat(stocks.passed()).hasSize(FILTERS + 1);
        stocks.remove(shapes.getFirst());
        assertThat(stocks.passed()).hasSize(FILTERS);
        assertThat(stocks.passed()).isEmpty();
        capacity.occupy("a", cpu(8));
        assertThat(stocks.passed()).isEmpty();
        stocks.add(worker(1));
        assertThat(stocks.passed()).hasSize(FILTERS + 1);
    }

    private static Shape worker(long cores) {
        return shape(cpu(cores));
    }

    private static Shape asking(String resource) {
        return shape(cpu(1).plus(Amounts.of(Map.of(resource, 1L))));
    }

    private static Amounts milli(long cpu) {
        return Amounts.of(Map.of("cpu", cpu));
    }

    private static Shape shape(Amounts demand) {
        return Fixtures.shape(spec("q", role("worker", 1, demand, NodeFilter.ANY)));
    }

    private static Shape choosy(int number) {
        var labels = new TreeMap<>(Map.of("number", "" + number));
        var filter = NodeFilter.of(labels, List.of(), List.of());
        return Fixtures.shape(spec("q", role("worker", 1, cpu(1), filter)));
    }
}
