package dev.muster.coordinator.core.placement;

import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Shape;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods of one core each: how many of them each node takes, and which are nearest to their need. */
class KindTest {
    private static final Shape.Part CORE = part(1);

    private final Rooms rooms = new Rooms();
    private final Kinds kinds = new Kinds(rooms);

    @BeforeEach
    void twoNodesAreThere() {
        rooms.put(node("a", 3));
        rooms.put(node("b", 5));
    }

    @Test
    void nodeWithTheLeastToSpareIsFoundThoughAnotherHadLessBefore() {
        assertThat(kind().leastToSpare(3)).isEqualTo(id("a"));
        rooms.occupy("a", cpu(1));
        assertThat(kind().leastToSpare(2)).isEqualTo(id("a"));
        assertThat(kind().leastToSpare(3)).isEqualTo(id("b"));
        assertThat(kind().leastToSpare(6)).isEqualTo(Kind.NOT_AT_ONCE);
        rooms.release("a", cpu(1));
        assertThat(kind().leastToSpare(3)).isEqualTo(id("a"));
    }

    @Test
    void podsThatKeepApartNeedANodeEach() {
        assertThat(kind().hasRoomFor(8, false)).isTrue();
        assertThat(kind().hasRoomFor(9, false)).isFalse();
        assertThat(kind().hasRoomFor(2, true)).isTrue();
        assertThat(kind().hasRoomFor(3, true)).isFalse();
        rooms.occupy("a", cpu(3));
        assertThat(kind().hasRoomFor(2, true)).isFalse();
    }

    @Test
    void distanceIsWhatIsLackingInThousandthsOfTheNeed() {
        var distances = kinds.distances(View.NOW, part(8));
        assertThat(distances.of(id("a"))).isEqualTo(1L << 48 | 625);
        assertThat(distances.of(id("b"))).isEqualTo(1L << 48 | 375);
        rooms.occupy("b", cpu(5));
        assertThat(kinds.distances(View.NOW, part(8)).of(id("b"))).isEqualTo(1L << 48 | 1000);
    }

    @Test
    void nameOfARoomOfWhichNothingIsSaidIsFreeForAnother() {
        int count = rooms.count();
        rooms.occupy("gone", cpu(1));
        rooms.release("gone", cpu(1));
        rooms.occupy("other", cpu(1));
        rooms.release("other", cpu(1));
        assertThat(rooms.count()).isEqualTo(count + 1);
        rooms.occupy("gone", cpu(1));
        rooms.occupy("other", cpu(1));
        assertThat(rooms.count()).isEqualTo(count + 2);
    }

    @Test
    void whatIsKnownOfKindsIsForgottenOnceItIsTooMuchUnlessItIsAskedForAgain() {
        var first = kind();
        var second = kinds.of(View.NOW, part(2));
        int kept = 2;
        while (!kinds.areTooMany()) {
            kinds.of(View.NOW, part(++kept));
        }
        assertThat(kept).isEqualTo(12_886);
        kinds.age();
        assertThat(kinds.areTooMany()).isFalse();
        assertThat(kind()).isSameAs(first);
        kinds.age();
        assertThat(kind()).isSameAs(first);
        assertThat(kinds.of(View.NOW, part(2))).isNotSameAs(second);
    }

    /** Of each distance its kind is kept, too. */
    @Test
    void whatIsKnownOfDistancesCountsNineTimes() {
        int kept = 0;
        while (!kinds.areTooMany()) {
            kinds.distances(View.NOW, part(++kept));
        }
        assertThat(kept).isEqualTo(1432);
    }

    /** What nodes of a filter have in all is kept of each, whatever pods ask for. */
    @Test
    void whatIsKnownOfStocksCountsEightyTimes() {
        for (int i = 0; i < 161; i++) {
            stock(i);
        }
        assertThat(kinds.areTooMany()).isFalse();
        stock(161);
        assertThat(kinds.areTooMany()).isTrue();
    }

    @Test
    void nodesMayTakeVeryManyPods() {
        rooms.put(node("c", 300));
        assertThat(kind().slots(id("c"))).isEqualTo(110);
        var bare = part(Amounts.of(Map.of("cpu", 1_000L)));
        var many = kinds.of(View.NOW, bare);
        assertThat(many.slots(id("a"))).isEqualTo(3);
        assertThat(many.slots(id("c"))).isEqualTo(300);
        assertThat(many.sum()).isEqualTo(308);
        rooms.put(node("d", 255));
        assertThat(kinds.of(View.NOW, bare).slots(id("d"))).isEqualTo(255);
        rooms.occupy("c", cpu(100));
        assertThat(kinds.of(View.NOW, bare).sum()).isEqualTo(463);
    }

    private Kind kind() {
        return kinds.of(View.NOW, CORE);
    }

    private int id(String node) {
        for (int id : rooms.nodes()) {
            if (rooms.get(id).name.equals(node)) {
                return id;
            }
        }
        throw new IllegalArgumentException(node);
    }

    private void stock(int rack) {
        var labels = new TreeMap<>(Map.of("rack", "r" + rack));
        kinds.stock(NodeFilter.of(labels, List.of(), List.of()));
    }

    private static Shape.Part part(Amounts demand) {
        var role = Fixtures.role("worker", 1, demand, NodeFilter.ANY);
        return Fixtures.shape(Fixtures.spec("default", role)).parts().getFirst();
    }

    private static Shape.Part part(long cores) {
        return Fixtures.shape(workers(1, cores)).parts().getFirst();
    }
}
