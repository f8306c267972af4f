package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.model.Topology.Policy;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Gist;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was not found is told from what cannot be. */
class BoundedSearchTest {
    private static final Shape FOURS_AND_THREES =
            Fixtures.shape(spec("q", role("a", 2, 4), role("b", 2, 3)));

    private final Capacity capacity = new Capacity();

    private void nodes(int count, long cores) {
        IntStream.range(0, count).forEach(i -> capacity.put(node("n" + cores + "-" + i, cores)));
    }

    private Short fit(Shape shape) {
        var why = (Short) capacity.fit(shape);
        assertThat(capacity.gist(shape)).isEqualTo(new Gist(why.code(), why.scope()));
        return why;
    }

    /** Each role would find room alone. */
    private static Shape three() {
        return Fixtures.shape(spec("q", role("a", 1, 2), role("b", 2, 2)));
    }

    @Test
    void rolesThatDoNotFitTogetherAreSaidNotToWhereThatIsProved() {
        nodes(2, 3);
        var why = fit(three());
        assertThat(why.code()).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        assertThat(why.message()).endsWith("all together do not fit the nodes");
        assertThat(why.remedy()).contains("it does not fit the empty pool");
        capacity.put(node("large", 8));
        capacity.occupy("large", Fixtures.cpu(7));
        assertThat(fit(three()).never()).isFalse();
    }

    @Test
    void poolThatIsTooLargeToBeSearchedThroughIsNotSaidToHaveNoRoom() {
        capacity.put(node("n0", 6));
        nodes(2, 4);
        assertThat(capacity.fits(FOURS_AND_THREES)).isTrue();
        nodes(1025, 0);
        var why = fit(FOURS_AND_THREES);
        assertThat(why.code()).isEqualTo(Code.PLACEMENT_NOT_FOUND);
        assertThat(why.scope()).isEqualTo("a");
        assertThat(why.never()).isFalse();
        assertThat(why.message())
                .endsWith(
                        "found for all together, and the search ended before every way was tried");
    }

    @Test
    void searchThatEndsBeforeAllIsTriedSaysThatNothingWasFound() {
        var why = fit(puzzle(Topology.NONE));
        assertThat(why.code()).isEqualTo(Code.PLACEMENT_NOT_FOUND);
        assertThat(why.never()).isTrue();
        assertThat(why.remedy()).endsWith("either, though not every way was tried");
    }

    @Test
    void whatIsShortInSumIsSaidToBeHoweverTheSearchEnded() {
        var shape = puzzle(Topology.NONE);
        capacity.occupy("n0", Fixtures.cpu(8));
        var why = fit(shape);
        assertThat(why.code()).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        assertThat(why.scope()).isEqualTo("cpu");
        assertThat(why.remedy()).endsWith("either, though not every way was tried");
    }

    /** So many that those of before are forgotten, at whichever moment. */
    @ParameterizedTest
    @ValueSource(ints = {0, 4_094, 4_095, 4_096, 4_097, 4_098})
    void howASearchEndedIsKnownHoweverManyOthersWereAskedBefore(int others) {
        capacity.put(node("n0", 6));
        nodes(2, 4);
        nodes(1025, 0);
        for (int pods = 1; pods <= others; pods++) {
            capacity.fits(Fixtures.shape(spec("q", role("a", pods, 9))));
        }
        assertThat(capacity.gist(FOURS_AND_THREES))
                .isEqualTo(new Gist(Code.PLACEMENT_NOT_FOUND, "a"));
    }

    @Test
    void domainThatWasNotSearchedThroughIsNotSaidToBeTooSmall() {
        var shape = puzzle(new Topology(Policy.REQUIRE, "zone"));
        capacity.put(inZone("y", 20_000));
        var why = fit(shape);
        assertThat(why.code()).isEqualTo(Code.PLACEMENT_NOT_FOUND);
        assertThat(why.scope()).isEqualTo("zone");
        assertThat(why.message()).endsWith(", as far as was tried: not every way was");
        assertThat(why.remedy()).endsWith("either, though not every way was tried");
    }

    /** Twelve roles whose pods fill their nodes, all of one zone, in few of very many ways. */
    private Shape puzzle(Topology topology) {
        var parts = new ArrayList<Shape.Part>();
        for (int i = 0; i < 12; i++) {
            var demand = Amounts.of(Map.of("cpu", 1001L + 97L * i * i, "pods", 1L));
            parts.add(Apart.part("r" + i, 0, 5, demand, NodeFilter.ANY, false));
        }
        var shape = new Shape(parts, topology);
        for (int i = 0; i < 12; i++) {
            capacity.put(inZone("n" + i, Math.ceilDiv(shape.total().get("cpu"), 12)));
        }
        return shape;
    }

    private static Node inZone(String name, long milli) {
        var amounts = Amounts.of(Map.of("cpu", milli, "pods", 110L));
        var labels = new TreeMap<>(Map.of("zone", name.substring(0, 1)));
        return new Node(name, 1, labels, List.of(), false, true, amounts, 0);
    }
}
