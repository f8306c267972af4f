package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Fit;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was answered is remembered as long as nothing changes, and what needs no other search. */
class FitsTest {
    private final Capacity capacity = new Capacity();

    @BeforeEach
    void nodeHasFourCores() {
        capacity.put(node("a", 4));
    }

    @Test
    void answersAreRememberedForManyShapes() {
        var shapes = IntStream.range(5, 1_005).mapToObj(FitsTest::worker).toList();
        var first = answers(shapes);
        var again = answers(shapes);
        assertThat(IntStream.range(0, 1_000)).allMatch(i -> first.get(i) == again.get(i));
        capacity.occupy("a", cpu(1));
        assertThat(capacity.fit(shapes.getFirst())).isNotSameAs(first.getFirst());
    }

    @Test
    void shapeOfOnePartIsSettledWhateverItLacks() {
        assertThat(capacity.isSettled(worker(5))).isTrue();
        assertThat(capacity.isSettledForEver(worker(5))).isTrue();
    }

    /** The first lacks room for a pod, now or for ever; of the last one each would find room. */
    @Test
    void gangIsSettledWhileOneOfItsRolesLacksRoomAlone() {
        capacity.occupy("a", cpu(1));
        assertThat(capacity.isSettled(pair(1, 9))).isTrue();
        assertThat(capacity.isSettled(pair(1, 4))).isFalse();
        assertThat(capacity.isSettled(pair(2, 2))).isFalse();
        capacity.put(node("b", 1));
        assertThat(capacity.isSettled(pair(1, 4))).isTrue();
    }

    /** Which role goes first is by how many nodes each may choose from, whatever their room. */
    @Test
    void gangWhoseRolesAcceptDifferentNodesIsSettledOnlyWhereOneCouldNeverFit() {
        assertThat(capacity.couldEverFit(choosy(2))).isTrue();
        assertThat(capacity.isSettledForEver(choosy(2))).isFalse();
        assertThat(capacity.isSettledForEver(choosy(9))).isTrue();
        assertThat(capacity.isSettledForEver(pair(1, 2))).isTrue();
    }

    private static Shape choosy(long worker) {
        var all = new NodeFilter.Toleration("", true, "", null);
        var filter = NodeFilter.of(new TreeMap<>(), List.of(), List.of(all));
        var workers = role("worker", 1, cpu(worker), filter);
        return Fixtures.shape(spec("q", role("master", 1, 1), workers));
    }

    private List<Fit> answers(List<Shape> shapes) {
        return shapes.stream().map(capacity::fit).toList();
    }

    private static Shape worker(long cores) {
        return Fixtures.shape(Fixtures.workers(1, cores));
    }

    private static Shape pair(long master, long worker) {
        return Fixtures.shape(spec("q", role("master", 1, master), role("worker", 1, worker)));
    }
}
